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
// CHECK-NEXT:     halide.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %place = halide.func "place"(x %x_2, y %y_2) in [1, 2] : i32 {
// CHECK-NEXT:     %6 = halide.const 3 : i32
// CHECK-NEXT:     halide.yield %6 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %place(x %x_3, y %y_3) over (r1 %r1_1 in 0 to 3) : !halide.func<i32, 2> {
// CHECK-NEXT:     %7 = halide.load %place[%x_3, %y_3] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %8 = halide.load %in0[%r1_1, %y_3] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %9 = halide.const 0 : i32
// CHECK-NEXT:     %10 = halide.load %largest[%9, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %11 = halide.eq %8, %10 : f32
// CHECK-NEXT:     %12 = halide.eq %8, %8 : f32
// CHECK-NEXT:     %13 = halide.not %12 : i1
// CHECK-NEXT:     %14 = halide.or %11, %13 : i1
// CHECK-NEXT:     %15 = halide.const 3 : i32
// CHECK-NEXT:     %16 = halide.select %14, %r1_1, %15 : i32
// CHECK-NEXT:     %17 = halide.min %7, %16 : i32
// CHECK-NEXT:     halide.yield %17 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4) in [2] : i64 {
// CHECK-NEXT:     %18 = halide.const 0 : i32
// CHECK-NEXT:     %19 = halide.load %place[%18, %x_4] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %20 = halide.cast %19 : i32 to i64
// CHECK-NEXT:     halide.yield %20 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<i64, 1> in !halide.buffer<i64, [2]>
// CHECK-NEXT: }
