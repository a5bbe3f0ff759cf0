// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// The last place that holds the least integer.

func.func @f(%x: tensor<2x3xi32>) -> tensor<1x3xi64> {
  %y = nn.arg_reduce %x {kind = #nn<reduction min>, axis = 0 : i64, keepdims = true, select_last = true} : (tensor<2x3xi32>) -> tensor<1x3xi64>
  func.return %y : tensor<1x3xi64>
}

// CHECK:      halide.pipeline @arg_reduce_0(%in0: !halide.buffer<i32, [3, 2]>) to (%result0: !halide.buffer<i64, [3, 1]>) {
// CHECK-NEXT:   %smallest = halide.func "smallest"(x %x, y %y) in [3, 1] : i32 {
// CHECK-NEXT:     %0 = halide.const 2147483647 : i32
// CHECK-NEXT:     halide.yield %0 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %smallest(x %x_1, y %y_1) over (r0 %r0 in 0 to 2) : !halide.func<i32, 2> {
// CHECK-NEXT:     %1 = halide.load %smallest[%x_1, %y_1] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %2 = halide.load %in0[%x_1, %r0] : !halide.buffer<i32, [3, 2]> to i32
// CHECK-NEXT:     %3 = halide.min %1, %2 : i32
// CHECK-NEXT:     halide.yield %3 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %place = halide.func "place"(x %x_2, y %y_2) in [3, 1] : i32 {
// CHECK-NEXT:     %4 = halide.const -1 : i32
// CHECK-NEXT:     halide.yield %4 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %place(x %x_3, y %y_3) over (r0 %r0_1 in 0 to 2) : !halide.func<i32, 2> {
// CHECK-NEXT:     %5 = halide.load %place[%x_3, %y_3] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %6 = halide.load %in0[%x_3, %r0_1] : !halide.buffer<i32, [3, 2]> to i32
// CHECK-NEXT:     %7 = halide.const 0 : i32
// CHECK-NEXT:     %8 = halide.load %smallest[%x_3, %7] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %9 = halide.eq %6, %8 : i32
// CHECK-NEXT:     %10 = halide.const -1 : i32
// CHECK-NEXT:     %11 = halide.select %9, %r0_1, %10 : i32
// CHECK-NEXT:     %12 = halide.max %5, %11 : i32
// CHECK-NEXT:     halide.yield %12 : i32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4, y %y_4) in [3, 1] : i64 {
// CHECK-NEXT:     %13 = halide.load %place[%x_4, %y_4] : !halide.func<i32, 2> to i32
// CHECK-NEXT:     %14 = halide.cast %13 : i32 to i64
// CHECK-NEXT:     halide.yield %14 : i64
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<i64, 2> in !halide.buffer<i64, [3, 1]>
// CHECK-NEXT: }
