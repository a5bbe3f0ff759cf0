// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// The squares of neighbouring channels; a power of 3/4 is two square roots.

func.func @f(%x: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %y = nn.lrn %x {size = 4 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64} : (tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  func.return %y : tensor<1x6x4xf32>
}

// CHECK:      halide.pipeline @lrn_0(%in0: !halide.buffer<f32, [4, 6, 1]>) to (%result0: !halide.buffer<f32, [4, 6, 1]>) {
// CHECK-NEXT:   %padded = halide.func "padded"(x %x, c %c, n %n) in [4, 9, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %c, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.le %2, %1 : i32
// CHECK-NEXT:     %4 = halide.const 6 : i32
// CHECK-NEXT:     %5 = halide.lt %1, %4 : i32
// CHECK-NEXT:     %6 = halide.and %3, %5 : i1
// CHECK-NEXT:     %7 = halide.max %1, %2 : i32
// CHECK-NEXT:     %8 = halide.const 5 : i32
// CHECK-NEXT:     %9 = halide.min %7, %8 : i32
// CHECK-NEXT:     %10 = halide.const 0.0 : f32
// CHECK-NEXT:     %11 = halide.load %in0[%x, %9, %n] : !halide.buffer<f32, [4, 6, 1]> to f32
// CHECK-NEXT:     %12 = halide.likely %11 : f32
// CHECK-NEXT:     %13 = halide.select %6, %12, %10 : f32
// CHECK-NEXT:     halide.yield %13 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %square_sum = halide.func "square_sum"(x %x_1, c %c_1, n %n_1) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %14 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %14 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %square_sum(x %x_2, c %c_2, n %n_2) over (k %k in 0 to 4) : !halide.func<f32, 3> {
// CHECK-NEXT:     %15 = halide.load %square_sum[%x_2, %c_2, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %16 = halide.add %c_2, %k : i32
// CHECK-NEXT:     %17 = halide.load %padded[%x_2, %16, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %18 = halide.mul %17, %17 : f32
// CHECK-NEXT:     %19 = halide.add %15, %18 : f32
// CHECK-NEXT:     halide.yield %19 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_3, c %c_3, n %n_3) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %20 = halide.load %square_sum[%x_3, %c_3, %n_3] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %21 = halide.const 0.5 : f32
// CHECK-NEXT:     %22 = halide.mul %20, %21 : f32
// CHECK-NEXT:     %23 = halide.const 1.0 : f32
// CHECK-NEXT:     %24 = halide.add %22, %23 : f32
// CHECK-NEXT:     %25 = halide.load %in0[%x_3, %c_3, %n_3] : !halide.buffer<f32, [4, 6, 1]> to f32
// CHECK-NEXT:     %26 = halide.const 0.75 : f32
// CHECK-NEXT:     %27 = halide.sqrt %24 : f32
// CHECK-NEXT:     %28 = halide.sqrt %27 : f32
// CHECK-NEXT:     %29 = halide.mul %27, %28 : f32
// CHECK-NEXT:     %30 = halide.div %25, %29 : f32
// CHECK-NEXT:     halide.yield %30 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [4, 6, 1]>
// CHECK-NEXT: }
