// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// A place outside of the operand has the given value; a whole step needs no weights.

func.func @f(%x: tensor<3xf32>) -> tensor<5xf32> {
  %y = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1>, offsets = array<i64: -1>, denominators = array<i64: 1>, extrapolation = 7.0 : f64} : (tensor<3xf32>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}

// CHECK:      halide.pipeline @resize_0(%in0: !halide.buffer<f32, [3]>) to (%result0: !halide.buffer<f32, [5]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [5] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %x, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.max %1, %2 : i32
// CHECK-NEXT:     %4 = halide.const 2 : i32
// CHECK-NEXT:     %5 = halide.min %3, %4 : i32
// CHECK-NEXT:     %6 = halide.load %in0[%5] : !halide.buffer<f32, [3]> to f32
// CHECK-NEXT:     %7 = halide.lt %1, %2 : i32
// CHECK-NEXT:     %8 = halide.lt %4, %1 : i32
// CHECK-NEXT:     %9 = halide.const 7.0 : f32
// CHECK-NEXT:     %10 = halide.or %7, %8 : i1
// CHECK-NEXT:     %11 = halide.select %10, %9, %6 : f32
// CHECK-NEXT:     halide.yield %11 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [5]>
// CHECK-NEXT: }
