// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// The extreme first, then the first place that holds it; of a row with nan the nan.

func.func @f(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %y = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  func.return %y : tensor<2xi64>
}

// CHECK:      halide.pipeline @arg_reduce_0(%in0: !halide.buffer<f32, [3, 2]>) to (%result0: !halide.buffer<i64, [2]>) {
// CHECK-NEXT:   %largest = halide.func "largest"(x %x, y %y) in [1, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const -inf : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %largest(x %x_1, y %y_1) over (r1 %r1 in 0 to 3) : !halide.func<f32, 2> {
// CHECK-NEXT:     %1 = halide.load %largest[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %2 = halide.load %in0[%r1, %y_1] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %3 = halide.max %1, %2 : f32
// CHECK-NEXT:     %4 = halide.eq %1, %1 : f32
// CHECK-NEXT:     %5 = halide.select %4, %3, %1 : f32
// CHECK-NEXT:     %6 = halide.strict %5 : f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %place = halide.func "place"(x %x_2, y %y_2) in [1, 2] : i32 {
// CHECK-NEXT:     %7 = halide.const 3 : i32
// CHECK-NEXT:     halide.yield %7 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %place(x %x_3, y %y_3) over (r1 %r1_1 in 0 to 3) : !halide.func<i32, 2> {
// CHECK-NEXT:     %8 = halide.load %place[%x_3, %y_3] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %9 = halide.load %in0[%r1_1, %y_3] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %10 = halide.const 0 : i32
// CHECK-NEXT:     %11 = halide.load %largest[%10, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %12 = halide.eq %9, %11 : f32
// CHECK-NEXT:     %13 = halide.strict %12 : i1
// CHECK-NEXT:     %14 = halide.eq %9, %9 : f32
// CHECK-NEXT:     %15 = halide.strict %14 : i1
// CHECK-NEXT:     %16 = halide.not %15 : i1
// CHECK-NEXT:     %17 = halide.or %13, %16 : i1
// CHECK-NEXT:     %18 = halide.const 3 : i32
// CHECK-NEXT:     %19 = halide.select %17, %r1_1, %18 : i32
// CHECK-NEXT:     %20 = halide.min %8, %19 : i32
// CHECK-NEXT:     halide.yield %20 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4) in [2] : i64 {
// CHECK-NEXT:     %21 = halide.const 0 : i32
// CHECK-NEXT:     %22 = halide.load %place[%21, %x_4] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %23 = halide.cast %22 : i32 to i64
// CHECK-NEXT:     halide.yield %23 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<i64, 1> in !halide.buffer<i64, [2]>
// CHECK-NEXT: }
