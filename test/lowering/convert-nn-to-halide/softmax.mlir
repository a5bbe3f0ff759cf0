// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Maximum, exponentials and their sum are funcs that a schedule can place. No element exceeds the largest one, so
// that the exponential has no upper bound.

func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = nn.kernel(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
  ^bb0(%x_: tensor<2x3xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    nn.yield %v : tensor<2x3xf32>
  }
  func.return %y : tensor<2x3xf32>
}

// CHECK:      halide.pipeline @softmax_0(%in0: !halide.buffer<f32, [3, 2]>) to (%result0: !halide.buffer<f32, [3, 2]>) fast_math {
// CHECK-NEXT:   %largest = halide.func "largest"(x %x, y %y) in [1, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const -inf : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %largest(x %x_1, y %y_1) over (r1 %r1 in 0 to 3) : !halide.func<f32, 2> {
// CHECK-NEXT:     %1 = halide.load %largest[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %2 = halide.load %in0[%r1, %y_1] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %3 = halide.max %1, %2 : f32
// CHECK-NEXT:     %4 = halide.strict %3 : f32
// CHECK-NEXT:     halide.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %power = halide.func "power"(x %x_2, y %y_2) in [3, 2] : f32 {
// CHECK-NEXT:     %5 = halide.extent %in0 1 : !halide.buffer<f32, [3, 2]>
// CHECK-NEXT:     %6 = halide.const 2 : i32
// CHECK-NEXT:     %7 = halide.sub %5, %6 : i32
// CHECK-NEXT:     %8 = halide.load %in0[%x_2, %y_2] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %9 = halide.const 0 : i32
// CHECK-NEXT:     %10 = halide.load %largest[%9, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %11 = halide.sub %8, %10 : f32
// CHECK-NEXT:     %12 = halide.strict %11 : f32
// CHECK-NEXT:     %13 = halide.const -87.5 : f32
// CHECK-NEXT:     %14 = halide.max %13, %12 : f32
// CHECK-NEXT:     %15 = halide.const 1.4426950408889634 : f32
// CHECK-NEXT:     %16 = halide.mul %14, %15 : f32
// CHECK-NEXT:     %17 = halide.const 8388734.0 : f32
// CHECK-NEXT:     %18 = halide.add %16, %17 : f32
// CHECK-NEXT:     %19 = halide.strict %18 : f32
// CHECK-NEXT:     %20 = halide.sub %19, %17 : f32
// CHECK-NEXT:     %21 = halide.const 0.693359375 : f32
// CHECK-NEXT:     %22 = halide.mul %20, %21 : f32
// CHECK-NEXT:     %23 = halide.sub %14, %22 : f32
// CHECK-NEXT:     %24 = halide.const -0.00021219444005471377 : f32
// CHECK-NEXT:     %25 = halide.mul %20, %24 : f32
// CHECK-NEXT:     %26 = halide.sub %23, %25 : f32
// CHECK-NEXT:     %27 = halide.strict %26 : f32
// CHECK-NEXT:     %28 = halide.const 0.01662484183907509 : f32
// CHECK-NEXT:     %29 = halide.mul %28, %27 : f32
// CHECK-NEXT:     %30 = halide.const 0.08378198742866516 : f32
// CHECK-NEXT:     %31 = halide.add %29, %30 : f32
// CHECK-NEXT:     %32 = halide.mul %31, %27 : f32
// CHECK-NEXT:     %33 = halide.const 0.3333423637390137 : f32
// CHECK-NEXT:     %34 = halide.add %32, %33 : f32
// CHECK-NEXT:     %35 = halide.mul %34, %27 : f32
// CHECK-NEXT:     %36 = halide.const 0.999984516999386 : f32
// CHECK-NEXT:     %37 = halide.add %35, %36 : f32
// CHECK-NEXT:     %38 = halide.mul %37, %27 : f32
// CHECK-NEXT:     %39 = halide.const 2.0 : f32
// CHECK-NEXT:     %40 = halide.add %38, %39 : f32
// CHECK-NEXT:     %41 = halide.mul %40, %27 : f32
// CHECK-NEXT:     %42 = halide.add %41, %39 : f32
// CHECK-NEXT:     %43 = halide.reinterpret %19 : f32 to ui32
// CHECK-NEXT:     %44 = halide.const 8388608 : ui32
// CHECK-NEXT:     %45 = halide.mul %43, %44 : ui32
// CHECK-NEXT:     %46 = halide.reinterpret %45 : ui32 to f32
// CHECK-NEXT:     %47 = halide.mul %42, %46 : f32
// CHECK-NEXT:     %48 = halide.reinterpret %47 : f32 to i32
// CHECK-NEXT:     %49 = halide.add %48, %7 : i32
// CHECK-NEXT:     %50 = halide.reinterpret %49 : i32 to f32
// CHECK-NEXT:     halide.yield %50 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %total = halide.func "total"(x %x_3, y %y_3) in [1, 2] : f32 {
// CHECK-NEXT:     %51 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %51 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %total(x %x_4, y %y_4) over (r1 %r1_1 in 0 to 3) : !halide.func<f32, 2> {
// CHECK-NEXT:     %52 = halide.load %total[%x_4, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %53 = halide.load %power[%r1_1, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %54 = halide.add %52, %53 : f32
// CHECK-NEXT:     %55 = halide.strict %54 : f32
// CHECK-NEXT:     halide.yield %55 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %share = halide.func "share"(x %x_5, y %y_5) in [1, 2] : f32 {
// CHECK-NEXT:     %56 = halide.load %total[%x_5, %y_5] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %57 = halide.const 1.0 : f32
// CHECK-NEXT:     %58 = halide.div %57, %56 : f32
// CHECK-NEXT:     %59 = halide.strict %58 : f32
// CHECK-NEXT:     halide.yield %59 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_6, y %y_6) in [3, 2] : f32 {
// CHECK-NEXT:     %60 = halide.load %power[%x_6, %y_6] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %61 = halide.const 0 : i32
// CHECK-NEXT:     %62 = halide.load %share[%61, %y_6] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %63 = halide.mul %60, %62 : f32
// CHECK-NEXT:     %64 = halide.strict %63 : f32
// CHECK-NEXT:     halide.yield %64 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
// CHECK-NEXT: }
