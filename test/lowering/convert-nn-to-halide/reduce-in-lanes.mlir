// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// A long innermost axis is folded to sixteen parts side by side, these at last.

func.func @f(%x: tensor<2x64xf32>) -> tensor<2xf32> {
  %y = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x64xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK:      halide.pipeline @reduce_0(%in0: !halide.buffer<f32, [64, 2]>) to (%result0: !halide.buffer<f32, [2]>) {
// CHECK-NEXT:   %reduce_sum_parts = halide.func "reduce_sum_parts"(x %x, y %y, z %z) in [16, 1, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %reduce_sum_parts(x %x_1, y %y_1, z %z_1) over (r1 %r1 in 0 to 4) : !halide.func<f32, 3> {
// CHECK-NEXT:     %1 = halide.load %reduce_sum_parts[%x_1, %y_1, %z_1] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %2 = halide.const 16 : i32
// CHECK-NEXT:     %3 = halide.mul %r1, %2 : i32
// CHECK-NEXT:     %4 = halide.add %3, %x_1 : i32
// CHECK-NEXT:     %5 = halide.load %in0[%4, %z_1] : !halide.buffer<f32, [64, 2]> to f32
// CHECK-NEXT:     %6 = halide.add %1, %5 : f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %reduce_sum = halide.func "reduce_sum"(x %x_2, y %y_2) in [1, 2] : f32 {
// CHECK-NEXT:     %7 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %reduce_sum(x %x_3, y %y_3) over (r1 %r1_1 in 0 to 16) : !halide.func<f32, 2> {
// CHECK-NEXT:     %8 = halide.load %reduce_sum[%x_3, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %9 = halide.const 0 : i32
// CHECK-NEXT:     %10 = halide.load %reduce_sum_parts[%r1_1, %9, %y_3] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %11 = halide.add %8, %10 : f32
// CHECK-NEXT:     halide.yield %11 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4) in [2] : f32 {
// CHECK-NEXT:     %12 = halide.const 0 : i32
// CHECK-NEXT:     %13 = halide.load %reduce_sum[%12, %x_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     halide.yield %13 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
// CHECK-NEXT: }
