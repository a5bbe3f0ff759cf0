// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Kernels that compute the same share a pipeline; another type, extent or op is another one.

func.func @f(%x: tensor<4xf32>, %z: tensor<5xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>) {
  %a = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<4xf32>):
    %v = nn.relu %i : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  %b = nn.kernel(%a) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<4xf32>):
    %v = nn.relu %i : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  %c = nn.kernel(%z) : (tensor<5xf32>) -> tensor<5xf32> {
  ^bb0(%i: tensor<5xf32>):
    %v = nn.relu %i : (tensor<5xf32>) -> tensor<5xf32>
    nn.yield %v : tensor<5xf32>
  }
  %d = nn.kernel(%b) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<4xf32>):
    %v = nn.abs %i : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %a, %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>
}

// CHECK:      halide.pipeline @relu_0(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) {
// CHECK:      halide.pipeline @relu_1(%in0: !halide.buffer<f32, [5]>) to (%result0: !halide.buffer<f32, [5]>) {
// CHECK:      halide.pipeline @abs_2(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) {
// CHECK:        %a = nn.call @relu_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:        %b = nn.call @relu_0(%a) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK:        %c = nn.call @relu_1(%z) : (tensor<5xf32>) -> tensor<5xf32>
// CHECK:        %d = nn.call @abs_2(%b) : (tensor<4xf32>) -> tensor<4xf32>
