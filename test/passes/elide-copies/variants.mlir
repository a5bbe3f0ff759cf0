// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies %s | filecheck %s

// One kernel, called with two strides, becomes two: the dense one keeps its name.

func.func @main(%x: tensor<4x16xf32>) -> tensor<4x32xf32> {
  %a = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %b = nn.kernel(%a) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %c = nn.concat %b, %x {axis = 1 : i64} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x32xf32>
  func.return %c : tensor<4x32xf32>
}

// CHECK-DAG:  halide.pipeline @relu_0(%in0: !halide.buffer<f32, [16, 4]>) to (%result0: !halide.buffer<f32, [16, 4]>)
// CHECK-DAG:  halide.pipeline @relu_0_strided(%in0: !halide.buffer<f32, [16, 4]>) to (%result0: !halide.buffer<f32, [16, 4], [1, 32]>)
// CHECK:      driver.call @relu_0(%x) to (%a)
// CHECK:      driver.call @relu_0_strided(%a) to (%b)
