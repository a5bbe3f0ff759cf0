// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Where another op reads the sums of halves, too, they are rounded before, and nothing is fast.

// CHECK-LABEL:  halide.pipeline @matmul_relu_add_0
// CHECK-NOT:      fast_math
// CHECK:          %out = halide.func "out"
// CHECK:            halide.load %matmul
// CHECK-NEXT:       halide.eq
// CHECK-NEXT:       halide.cast
// CHECK-SAME:         f32 to f16
// CHECK:            halide.max
func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) -> tensor<2x4xf16> {
  %y = nn.kernel(%x, %w) : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16> {
  ^bb0(%i: tensor<2x3xf16>, %k: tensor<3x4xf16>):
    %m = nn.matmul %i, %k : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
    %r = nn.relu %m : (tensor<2x4xf16>) -> tensor<2x4xf16>
    %s = nn.add %m, %r : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    nn.yield %s : tensor<2x4xf16>
  }
  func.return %y : tensor<2x4xf16>
}
