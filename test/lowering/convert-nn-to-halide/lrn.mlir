// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// The squares of neighbouring channels; a power of -3/4 from the bits of the sum and a polynomial.

func.func @f(%x: tensor<1x6x4xf32>) -> tensor<1x6x4xf32> {
  %y = nn.lrn %x {size = 4 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64} : (tensor<1x6x4xf32>) -> tensor<1x6x4xf32>
  func.return %y : tensor<1x6x4xf32>
}

// CHECK:      halide.pipeline @lrn_0(%in0: !halide.buffer<f32, [4, 6, 1]>) to (%result0: !halide.buffer<f32, [4, 6, 1]>) fast_math {
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
// CHECK-NEXT:     %15 = halide.strict %14 : f32
// CHECK-NEXT:     halide.yield %15 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %square_sum = halide.func "square_sum"(x %x_1, c %c_1, n %n_1) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %16 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %16 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %square_sum(x %x_2, c %c_2, n %n_2) over (k %k in 0 to 4) : !halide.func<f32, 3> {
// CHECK-NEXT:     %17 = halide.load %square_sum[%x_2, %c_2, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %18 = halide.const 2 : i32
// CHECK-NEXT:     %19 = halide.add %c_2, %18 : i32
// CHECK-NEXT:     %20 = halide.add %19, %k : i32
// CHECK-NEXT:     %21 = halide.load %squares[%x_2, %20, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %22 = halide.add %17, %21 : f32
// CHECK-NEXT:     %23 = halide.strict %22 : f32
// CHECK-NEXT:     halide.yield %23 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %quotient = halide.func "quotient"(x %x_3, c %c_3, n %n_3) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %24 = halide.extent %in0 2 : !halide.buffer<f32, [4, 6, 1]>
// CHECK-NEXT:     %25 = halide.const 1 : i32
// CHECK-NEXT:     %26 = halide.sub %24, %25 : i32
// CHECK-NEXT:     %27 = halide.load %square_sum[%x_3, %c_3, %n_3] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %28 = halide.const 0.5 : f32
// CHECK-NEXT:     %29 = halide.mul %27, %28 : f32
// CHECK-NEXT:     %30 = halide.const 1.0 : f32
// CHECK-NEXT:     %31 = halide.add %29, %30 : f32
// CHECK-NEXT:     %32 = halide.load %in0[%x_3, %c_3, %n_3] : !halide.buffer<f32, [4, 6, 1]> to f32
// CHECK-NEXT:     %33 = halide.strict %31 : f32
// CHECK-NEXT:     %34 = halide.reinterpret %33 : f32 to i32
// CHECK-NEXT:     %35 = halide.const 2 : i32
// CHECK-NEXT:     %36 = halide.div %34, %35 : i32
// CHECK-NEXT:     %37 = halide.const 4 : i32
// CHECK-NEXT:     %38 = halide.div %34, %37 : i32
// CHECK-NEXT:     %39 = halide.add %36, %38 : i32
// CHECK-NEXT:     %40 = halide.const 1863603128 : i32
// CHECK-NEXT:     %41 = halide.sub %40, %39 : i32
// CHECK-NEXT:     %42 = halide.reinterpret %41 : i32 to f32
// CHECK-NEXT:     %43 = halide.mul %33, %42 : f32
// CHECK-NEXT:     %44 = halide.mul %43, %43 : f32
// CHECK-NEXT:     %45 = halide.mul %43, %42 : f32
// CHECK-NEXT:     %46 = halide.mul %44, %45 : f32
// CHECK-NEXT:     %47 = halide.sub %30, %46 : f32
// CHECK-NEXT:     %48 = halide.const 0.09892272062653513 : f32
// CHECK-NEXT:     %49 = halide.mul %48, %47 : f32
// CHECK-NEXT:     %50 = halide.const 0.12021506052664625 : f32
// CHECK-NEXT:     %51 = halide.add %49, %50 : f32
// CHECK-NEXT:     %52 = halide.mul %51, %47 : f32
// CHECK-NEXT:     %53 = halide.const 0.1562016899358802 : f32
// CHECK-NEXT:     %54 = halide.add %52, %53 : f32
// CHECK-NEXT:     %55 = halide.mul %54, %47 : f32
// CHECK-NEXT:     %56 = halide.const 0.2499777089287676 : f32
// CHECK-NEXT:     %57 = halide.add %55, %56 : f32
// CHECK-NEXT:     %58 = halide.mul %57, %47 : f32
// CHECK-NEXT:     %59 = halide.const 1.000000097533566 : f32
// CHECK-NEXT:     %60 = halide.add %58, %59 : f32
// CHECK-NEXT:     %61 = halide.const 8.507059173023462e+37 : f32
// CHECK-NEXT:     %62 = halide.lt %61, %33 : f32
// CHECK-NEXT:     %63 = halide.strict %62 : i1
// CHECK-NEXT:     %64 = halide.const 0.0 : f32
// CHECK-NEXT:     %65 = halide.mul %42, %60 : f32
// CHECK-NEXT:     %66 = halide.select %63, %64, %65 : f32
// CHECK-NEXT:     %67 = halide.mul %32, %66 : f32
// CHECK-NEXT:     %68 = halide.reinterpret %67 : f32 to i32
// CHECK-NEXT:     %69 = halide.add %68, %26 : i32
// CHECK-NEXT:     %70 = halide.reinterpret %69 : i32 to f32
// CHECK-NEXT:     halide.yield %70 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4, c %c_4, n %n_4) in [4, 6, 1] : f32 {
// CHECK-NEXT:     %71 = halide.load %quotient[%x_4, %c_4, %n_4] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     halide.yield %71 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [4, 6, 1]>
// CHECK-NEXT: }
