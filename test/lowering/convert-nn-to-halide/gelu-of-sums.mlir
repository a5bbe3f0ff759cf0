// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The polynomial of a gelu may be contracted where the kernel ends with it: the output is not strict. What it
// reads is hidden from LLVM all the same, as it may be nan or infinite.

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %y = nn.kernel(%x, %w) : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32> {
  ^bb0(%x_: tensor<4x8xf32>, %w_: tensor<8x6xf32>):
    %s = nn.matmul %x_, %w_ : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
    %v = nn.gelu %s : (tensor<4x6xf32>) -> tensor<4x6xf32>
    nn.yield %v : tensor<4x6xf32>
  }
  func.return %y : tensor<4x6xf32>
}

// CHECK:     halide.pipeline @matmul_gelu_0{{.*}} fast_math {
// CHECK:       %out = halide.func "out"
// CHECK:         halide.extent
// CHECK:         halide.abs
// CHECK:         halide.div
// CHECK-NOT:     halide.strict
// CHECK:         halide.yield
// CHECK:       halide.output
