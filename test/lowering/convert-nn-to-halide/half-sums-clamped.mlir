// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// What clamps the sums of a contraction of halves rounds them, once, and the sums stay fast: a relu of
// rounded numbers is the same as rounding what a relu makes. LLVM takes the result of a conversion for
// finite, so a zero is added to its bits, too.

// CHECK-LABEL:  halide.pipeline @matmul_relu_0
// CHECK-SAME:     fast_math
// CHECK:          %matmul = halide.func "matmul"(x %x, y %y) in [4, 2] : f32
// CHECK:          %out = halide.func "out"(x %x_2, y %y_2) in [4, 2] : f16
// CHECK:            halide.load %matmul
// CHECK-NOT:        halide.cast
// CHECK:            halide.max
// CHECK-NEXT:       halide.eq
// CHECK-NEXT:       halide.cast
// CHECK-SAME:         f32 to f16
// CHECK-NEXT:       halide.cast
// CHECK-SAME:         i32 to i16
// CHECK-NEXT:       halide.reinterpret
// CHECK-NEXT:       halide.add
// CHECK-NEXT:       halide.reinterpret
// CHECK-NOT:        halide.cast
// CHECK:            halide.yield
func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) -> tensor<2x4xf16> {
  %y = nn.kernel(%x, %w) : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16> {
  ^bb0(%i: tensor<2x3xf16>, %k: tensor<3x4xf16>):
    %m = nn.matmul %i, %k : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
    %r = nn.relu %m : (tensor<2x4xf16>) -> tensor<2x4xf16>
    nn.yield %r : tensor<2x4xf16>
  }
  func.return %y : tensor<2x4xf16>
}
