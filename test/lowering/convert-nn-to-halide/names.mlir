// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A pipeline is named after its ops and a number; constants do not count.

func.func @f(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
  %y = nn.kernel(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%i: tensor<2x3xf32>, %k: tensor<3x4xf32>):
    %c = nn.constant #nn.dense<0.5 : tensor<f32>>
    %p = nn.matmul %i, %k : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %m = nn.relu %p : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %s = nn.mul %m, %c : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %v = nn.exp %s : (tensor<2x4xf32>) -> tensor<2x4xf32>
    nn.yield %v : tensor<2x4xf32>
  }
  func.return %y : tensor<2x4xf32>
}

// CHECK:      halide.pipeline @matmul_relu_mul_exp_0(%in0: !halide.buffer<f32, [3, 2]>, %in1: !halide.buffer<f32, [4, 3]>) to (%result0: !halide.buffer<f32, [4, 2]>) fast_math {
// CHECK:        %matmul = halide.func "matmul"(x %x, y %y) in [4, 2] : f32 {
// CHECK:          %0 = halide.const 0.0 : f32
// CHECK:        halide.update %matmul(x %x_1, y %y_1) over (k %k in 0 to 3) : !halide.func<f32, 2> {
// CHECK:          %1 = halide.load %matmul[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK:          %4 = halide.mul %3, %2 : f32
// CHECK:          %9 = halide.load %matmul[%x_2, %y_2] : !halide.func<f32, 2> to f32
// CHECK:          %13 = halide.const 0.0 : f32
// CHECK:          %15 = halide.const 0.5 : f32
// CHECK:          %16 = halide.mul %14, %15 : f32
// CHECK:          %17 = halide.const 89.0 : f32
// CHECK:        %y = nn.call @matmul_relu_mul_exp_0(%x, %w) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
