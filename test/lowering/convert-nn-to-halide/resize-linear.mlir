// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Quotient and remainder of the place; both neighbours are held within the operand.

func.func @f(%x: tensor<3xf32>) -> tensor<5xf32> {
  %y = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 3>, offsets = array<i64: -1>, denominators = array<i64: 5>} : (tensor<3xf32>) -> tensor<5xf32>
  func.return %y : tensor<5xf32>
}

// CHECK:      halide.pipeline @resize_0(%in0: !halide.buffer<f32, [3]>) to (%result0: !halide.buffer<f32, [5]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [5] : f32 {
// CHECK-NEXT:     %0 = halide.const 3 : i32
// CHECK-NEXT:     %1 = halide.mul %x, %0 : i32
// CHECK-NEXT:     %2 = halide.const 1 : i32
// CHECK-NEXT:     %3 = halide.sub %1, %2 : i32
// CHECK-NEXT:     %4 = halide.const 5 : i32
// CHECK-NEXT:     %5 = halide.mod %3, %4 : i32
// CHECK-NEXT:     %6 = halide.cast %5 : i32 to f32
// CHECK-NEXT:     %7 = halide.const 0.2 : f32
// CHECK-NEXT:     %8 = halide.mul %6, %7 : f32
// CHECK-NEXT:     %9 = halide.const 1.0 : f32
// CHECK-NEXT:     %10 = halide.sub %9, %8 : f32
// CHECK-NEXT:     %11 = halide.div %3, %4 : i32
// CHECK-NEXT:     %12 = halide.const 0 : i32
// CHECK-NEXT:     %13 = halide.max %11, %12 : i32
// CHECK-NEXT:     %14 = halide.add %11, %2 : i32
// CHECK-NEXT:     %15 = halide.const 2 : i32
// CHECK-NEXT:     %16 = halide.min %14, %15 : i32
// CHECK-NEXT:     %17 = halide.load %in0[%13] : !halide.buffer<f32, [3]> to f32
// CHECK-NEXT:     %18 = halide.mul %17, %10 : f32
// CHECK-NEXT:     %19 = halide.load %in0[%16] : !halide.buffer<f32, [3]> to f32
// CHECK-NEXT:     %20 = halide.mul %19, %8 : f32
// CHECK-NEXT:     %21 = halide.add %18, %20 : f32
// CHECK-NEXT:     halide.yield %21 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [5]>
// CHECK-NEXT: }
