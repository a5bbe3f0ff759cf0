// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Transposed operands are read with their indices exchanged; batches and the bias are broadcast.

func.func @f(%a: tensor<2x1x4x3xf32>, %b: tensor<6x5x4xf32>, %c: tensor<5xf32>) -> tensor<2x6x3x5xf32> {
  %y = nn.kernel(%a, %b, %c) : (tensor<2x1x4x3xf32>, tensor<6x5x4xf32>, tensor<5xf32>) -> tensor<2x6x3x5xf32> {
  ^bb0(%a_: tensor<2x1x4x3xf32>, %b_: tensor<6x5x4xf32>, %c_: tensor<5xf32>):
    %v = nn.matmul %a_, %b_, %c_ {transpose_lhs = true, transpose_rhs = true} : (tensor<2x1x4x3xf32>, tensor<6x5x4xf32>, tensor<5xf32>) -> tensor<2x6x3x5xf32>
    nn.yield %v : tensor<2x6x3x5xf32>
  }
  func.return %y : tensor<2x6x3x5xf32>
}

// CHECK:      halide.pipeline @matmul_0(%in0: !halide.buffer<f32, [3, 4, 1, 2]>, %in1: !halide.buffer<f32, [4, 5, 6]>, %in2: !halide.buffer<f32, [5]>) to (%result0: !halide.buffer<f32, [5, 3, 6, 2]>) fast_math {
// CHECK-NEXT:   %matmul = halide.func "matmul"(x %x, y %y, z %z, w %w) in [5, 3, 6, 2] : f32 {
// CHECK-NEXT:     %0 = halide.load %in2[%x] : !halide.buffer<f32, [5]> to f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %matmul(x %x_1, y %y_1, z %z_1, w %w_1) over (k %k in 0 to 4) : !halide.func<f32, 4> {
// CHECK-NEXT:     %1 = halide.load %matmul[%x_1, %y_1, %z_1, %w_1] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %2 = halide.load %in1[%k, %x_1, %z_1] : !halide.buffer<f32, [4, 5, 6]> to f32
// CHECK-NEXT:     %3 = halide.const 0 : i32
// CHECK-NEXT:     %4 = halide.load %in0[%y_1, %k, %3, %w_1] : !halide.buffer<f32, [3, 4, 1, 2]> to f32
// CHECK-NEXT:     %5 = halide.mul %4, %2 : f32
// CHECK-NEXT:     %6 = halide.add %1, %5 : f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_2, y %y_2, z %z_2, w %w_2) in [5, 3, 6, 2] : f32 {
// CHECK-NEXT:     %7 = halide.load %matmul[%x_2, %y_2, %z_2, %w_2] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     halide.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 4> in !halide.buffer<f32, [5, 3, 6, 2]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%a: tensor<2x1x4x3xf32>, %b: tensor<6x5x4xf32>, %c: tensor<5xf32>) -> tensor<2x6x3x5xf32> {
// CHECK-NEXT:   %y = nn.call @matmul_0(%a, %b, %c) : (tensor<2x1x4x3xf32>, tensor<6x5x4xf32>, tensor<5xf32>) -> tensor<2x6x3x5xf32>
// CHECK-NEXT:   func.return %y : tensor<2x6x3x5xf32>
// CHECK-NEXT: }
