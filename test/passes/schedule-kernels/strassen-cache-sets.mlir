// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide --schedule-kernels --split-input-file | filecheck %s

// 26 sums of 4 rows of 512 steps lie 8 KB apart and share a set of the first-level cache: a line
// behind each row sets them apart.

// CHECK-LABEL: halide.pipeline @matmul_0
// CHECK: halide.align_storage %left_sums "k" to 528
func.func @f(%x: tensor<64x2048xf32>, %w: tensor<2x26x512x8xf32>) -> tensor<64x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<strassen, parts = [4, 4], tile = [8, 4], block = [1], fetch = []>} : (tensor<64x2048xf32>, tensor<2x26x512x8xf32>) -> tensor<64x64xf32> {
  ^bb0(%x_: tensor<64x2048xf32>, %w_: tensor<2x26x512x8xf32>):
    %v = nn.matmul %x_, %w_ {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 4, 4>} : (tensor<64x2048xf32>, tensor<2x26x512x8xf32>) -> tensor<64x64xf32>
    nn.yield %v : tensor<64x64xf32>
  }
  func.return %y : tensor<64x64xf32>
}

// -----

// Those of 4 rows of 192 steps lie 3 KB apart: four groups of sets have 7 lines each, and 8 ways.

// CHECK-LABEL: halide.pipeline @matmul_0
// CHECK-NOT: halide.align_storage
func.func @g(%x: tensor<64x768xf32>, %w: tensor<2x26x192x8xf32>) -> tensor<64x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<strassen, parts = [4, 4], tile = [8, 4], block = [1], fetch = []>} : (tensor<64x768xf32>, tensor<2x26x192x8xf32>) -> tensor<64x64xf32> {
  ^bb0(%x_: tensor<64x768xf32>, %w_: tensor<2x26x192x8xf32>):
    %v = nn.matmul %x_, %w_ {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 4, 4>} : (tensor<64x768xf32>, tensor<2x26x192x8xf32>) -> tensor<64x64xf32>
    nn.yield %v : tensor<64x64xf32>
  }
  func.return %y : tensor<64x64xf32>
}

// -----

// Seven sums share a set and have a way each, wherever they lie.

// CHECK-LABEL: halide.pipeline @matmul_0
// CHECK-NOT: halide.align_storage
func.func @h(%x: tensor<64x1024xf32>, %w: tensor<4x7x512x8xf32>) -> tensor<64x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<strassen, parts = [2, 2], tile = [8, 4], block = [1], fetch = []>} : (tensor<64x1024xf32>, tensor<4x7x512x8xf32>) -> tensor<64x64xf32> {
  ^bb0(%x_: tensor<64x1024xf32>, %w_: tensor<4x7x512x8xf32>):
    %v = nn.matmul %x_, %w_ {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<64x1024xf32>, tensor<4x7x512x8xf32>) -> tensor<64x64xf32>
    nn.yield %v : tensor<64x64xf32>
  }
  func.return %y : tensor<64x64xf32>
}
