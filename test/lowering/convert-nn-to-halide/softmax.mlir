// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Maximum, exponentials and their sum are funcs that a schedule can place.

func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = nn.kernel(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
  ^bb0(%x_: tensor<2x3xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    nn.yield %v : tensor<2x3xf32>
  }
  func.return %y : tensor<2x3xf32>
}

// CHECK:      halide.pipeline @softmax_0(%in0: !halide.buffer<f32, [3, 2]>) to (%result0: !halide.buffer<f32, [3, 2]>) {
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
// CHECK-NEXT:     %5 = halide.load %in0[%x_2, %y_2] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %6 = halide.const 0 : i32
// CHECK-NEXT:     %7 = halide.load %largest[%6, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %8 = halide.sub %5, %7 : f32
// CHECK-NEXT:     %9 = halide.strict %8 : f32
// CHECK-NEXT:     %10 = halide.const 89.0 : f32
// CHECK-NEXT:     %11 = halide.const -88.0 : f32
// CHECK-NEXT:     %12 = halide.max %11, %9 : f32
// CHECK-NEXT:     %13 = halide.strict %12 : f32
// CHECK-NEXT:     %14 = halide.min %10, %13 : f32
// CHECK-NEXT:     %15 = halide.strict %14 : f32
// CHECK-NEXT:     %16 = halide.const 1.4426950408889634 : f32
// CHECK-NEXT:     %17 = halide.mul %15, %16 : f32
// CHECK-NEXT:     %18 = halide.const 127.0 : f32
// CHECK-NEXT:     %19 = halide.add %17, %18 : f32
// CHECK-NEXT:     %20 = halide.cast %19 : f32 to i32
// CHECK-NEXT:     %21 = halide.const 127 : i32
// CHECK-NEXT:     %22 = halide.sub %20, %21 : i32
// CHECK-NEXT:     %23 = halide.cast %22 : i32 to f32
// CHECK-NEXT:     %24 = halide.const 0.6931471805599453 : f32
// CHECK-NEXT:     %25 = halide.mul %23, %24 : f32
// CHECK-NEXT:     %26 = halide.sub %15, %25 : f32
// CHECK-NEXT:     %27 = halide.const 0.011669469805636554 : f32
// CHECK-NEXT:     %28 = halide.mul %27, %26 : f32
// CHECK-NEXT:     %29 = halide.const 0.039062496233085095 : f32
// CHECK-NEXT:     %30 = halide.add %28, %29 : f32
// CHECK-NEXT:     %31 = halide.mul %30, %26 : f32
// CHECK-NEXT:     %32 = halide.const 0.1675549783138868 : f32
// CHECK-NEXT:     %33 = halide.add %31, %32 : f32
// CHECK-NEXT:     %34 = halide.mul %33, %26 : f32
// CHECK-NEXT:     %35 = halide.const 0.4998708223518062 : f32
// CHECK-NEXT:     %36 = halide.add %34, %35 : f32
// CHECK-NEXT:     %37 = halide.mul %36, %26 : f32
// CHECK-NEXT:     %38 = halide.const 1.000005960971083 : f32
// CHECK-NEXT:     %39 = halide.add %37, %38 : f32
// CHECK-NEXT:     %40 = halide.mul %39, %26 : f32
// CHECK-NEXT:     %41 = halide.const 1.0 : f32
// CHECK-NEXT:     %42 = halide.add %40, %41 : f32
// CHECK-NEXT:     %43 = halide.const 8388608 : i32
// CHECK-NEXT:     %44 = halide.mul %20, %43 : i32
// CHECK-NEXT:     %45 = halide.reinterpret %44 : i32 to f32
// CHECK-NEXT:     %46 = halide.mul %42, %45 : f32
// CHECK-NEXT:     halide.yield %46 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %total = halide.func "total"(x %x_3, y %y_3) in [1, 2] : f32 {
// CHECK-NEXT:     %47 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %47 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %total(x %x_4, y %y_4) over (r1 %r1_1 in 0 to 3) : !halide.func<f32, 2> {
// CHECK-NEXT:     %48 = halide.load %total[%x_4, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %49 = halide.load %power[%r1_1, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %50 = halide.add %48, %49 : f32
// CHECK-NEXT:     halide.yield %50 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %share = halide.func "share"(x %x_5, y %y_5) in [1, 2] : f32 {
// CHECK-NEXT:     %51 = halide.load %total[%x_5, %y_5] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %52 = halide.const 1.0 : f32
// CHECK-NEXT:     %53 = halide.div %52, %51 : f32
// CHECK-NEXT:     halide.yield %53 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_6, y %y_6) in [3, 2] : f32 {
// CHECK-NEXT:     %54 = halide.load %power[%x_6, %y_6] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %55 = halide.const 0 : i32
// CHECK-NEXT:     %56 = halide.load %share[%55, %y_6] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %57 = halide.mul %54, %56 : f32
// CHECK-NEXT:     %58 = halide.strict %57 : f32
// CHECK-NEXT:     halide.yield %58 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
// CHECK-NEXT: }
