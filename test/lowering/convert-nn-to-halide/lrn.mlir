// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// The squares of neighbouring channels; a power of -3/4 from the bits of the sum and a polynomial.

func.func @f(%x: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %y = nn.lrn %x {size = 4 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64} : (tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  func.return %y : tensor<1x6x4xf32>
}

// CHECK:      halide.pipeline @lrn_0(%in0: !halide.buffer<f32, [4, 6, 1]>) to (%result0: !halide.buffer<f32, [4, 6, 1]>) {
// CHECK-NEXT:   %squares = halide.func "squares"(x %x, c %c, n %n) in [4, 12, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 3 : i32
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
// CHECK-NEXT:     %12 = halide.mul %11, %11 : f32
// CHECK-NEXT:     %13 = halide.likely %12 : f32
// CHECK-NEXT:     %14 = halide.select %6, %13, %10 : f32
// CHECK-NEXT:     halide.yield %14 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %square_sum = halide.func "square_sum"(x %x_1, c %c_1, n %n_1) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %15 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %15 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %square_sum(x %x_2, c %c_2, n %n_2) over (k %k in 0 to 4) : !halide.func<f32, 3> {
// CHECK-NEXT:     %16 = halide.load %square_sum[%x_2, %c_2, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %17 = halide.const 2 : i32
// CHECK-NEXT:     %18 = halide.add %c_2, %17 : i32
// CHECK-NEXT:     %19 = halide.add %18, %k : i32
// CHECK-NEXT:     %20 = halide.load %squares[%x_2, %19, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %21 = halide.add %16, %20 : f32
// CHECK-NEXT:     halide.yield %21 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %quotient = halide.func "quotient"(x %x_3, c %c_3, n %n_3) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %22 = halide.load %square_sum[%x_3, %c_3, %n_3] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %23 = halide.const 0.5 : f32
// CHECK-NEXT:     %24 = halide.mul %22, %23 : f32
// CHECK-NEXT:     %25 = halide.const 1.0 : f32
// CHECK-NEXT:     %26 = halide.add %24, %25 : f32
// CHECK-NEXT:     %27 = halide.load %in0[%x_3, %c_3, %n_3] : !halide.buffer<f32, [4, 6, 1]> to f32
// CHECK-NEXT:     %28 = halide.reinterpret %26 : f32 to i32
// CHECK-NEXT:     %29 = halide.const 2 : i32
// CHECK-NEXT:     %30 = halide.div %28, %29 : i32
// CHECK-NEXT:     %31 = halide.const 4 : i32
// CHECK-NEXT:     %32 = halide.div %28, %31 : i32
// CHECK-NEXT:     %33 = halide.add %30, %32 : i32
// CHECK-NEXT:     %34 = halide.const 1863603128 : i32
// CHECK-NEXT:     %35 = halide.sub %34, %33 : i32
// CHECK-NEXT:     %36 = halide.reinterpret %35 : i32 to f32
// CHECK-NEXT:     %37 = halide.mul %26, %36 : f32
// CHECK-NEXT:     %38 = halide.mul %37, %37 : f32
// CHECK-NEXT:     %39 = halide.mul %37, %36 : f32
// CHECK-NEXT:     %40 = halide.mul %38, %39 : f32
// CHECK-NEXT:     %41 = halide.sub %25, %40 : f32
// CHECK-NEXT:     %42 = halide.const 0.09892272062653513 : f32
// CHECK-NEXT:     %43 = halide.mul %42, %41 : f32
// CHECK-NEXT:     %44 = halide.const 0.12021506052664625 : f32
// CHECK-NEXT:     %45 = halide.add %43, %44 : f32
// CHECK-NEXT:     %46 = halide.mul %45, %41 : f32
// CHECK-NEXT:     %47 = halide.const 0.1562016899358802 : f32
// CHECK-NEXT:     %48 = halide.add %46, %47 : f32
// CHECK-NEXT:     %49 = halide.mul %48, %41 : f32
// CHECK-NEXT:     %50 = halide.const 0.2499777089287676 : f32
// CHECK-NEXT:     %51 = halide.add %49, %50 : f32
// CHECK-NEXT:     %52 = halide.mul %51, %41 : f32
// CHECK-NEXT:     %53 = halide.const 1.000000097533566 : f32
// CHECK-NEXT:     %54 = halide.add %52, %53 : f32
// CHECK-NEXT:     %55 = halide.const 8.507059173023462e+37 : f32
// CHECK-NEXT:     %56 = halide.lt %55, %26 : f32
// CHECK-NEXT:     %57 = halide.strict %56 : i1
// CHECK-NEXT:     %58 = halide.const 0.0 : f32
// CHECK-NEXT:     %59 = halide.mul %36, %54 : f32
// CHECK-NEXT:     %60 = halide.select %57, %58, %59 : f32
// CHECK-NEXT:     %61 = halide.mul %27, %60 : f32
// CHECK-NEXT:     halide.yield %61 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4, c %c_4, n %n_4) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %62 = halide.load %quotient[%x_4, %c_4, %n_4] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     halide.yield %62 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [4, 6, 1]>
// CHECK-NEXT: }
