// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Axes of extent 1 are read by their variables too: Halide wants to see a reduction variable in use.

func.func @f(%a: tensor<1x1xf32>, %b: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %y = nn.kernel(%a, %b) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32> {
  ^bb0(%a_: tensor<1x1xf32>, %b_: tensor<1x1xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
    nn.yield %v : tensor<1x1xf32>
  }
  func.return %y : tensor<1x1xf32>
}

// CHECK:      halide.pipeline @matmul_0(%in0: !halide.buffer<f32, [1, 1]>, %in1: !halide.buffer<f32, [1, 1]>) to (%result0: !halide.buffer<f32, [1, 1]>) fast_math {
// CHECK:        %matmul = halide.func "matmul"(x %x, y %y) in [1, 1] : f32 {
// CHECK:        halide.update %matmul(x %x_1, y %y_1) over (k %k in 0 to 1) : !halide.func<f32, 2> {
// CHECK:          %1 = halide.load %matmul[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK:          %2 = halide.load %in1[%x_1, %k] : !halide.buffer<f32, [1, 1]> to f32
// CHECK:          %3 = halide.load %in0[%k, %y_1] : !halide.buffer<f32, [1, 1]> to f32
// CHECK:          %4 = halide.mul %3, %2 : f32
// CHECK:          %5 = halide.add %1, %4 : f32
// CHECK:          %6 = halide.load %matmul[%x_2, %y_2] : !halide.func<f32, 2> to f32
// CHECK:        %y = nn.call @matmul_0(%a, %b) : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
