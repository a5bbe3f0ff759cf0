// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide --schedule-kernels | filecheck %s

// 9 pairs of rows in blocks of 2 tiles of 2: the last pair has one row, the last block one tile.

func.func @f(%x: tensor<17x32xf32>, %w: tensor<2x7x16x8xf32>) -> tensor<17x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<strassen, parts = [2, 2], tile = [8, 2], block = [2], fetch = [2]>} : (tensor<17x32xf32>, tensor<2x7x16x8xf32>) -> tensor<17x32xf32> {
  ^bb0(%x_: tensor<17x32xf32>, %w_: tensor<2x7x16x8xf32>):
    %v = nn.matmul %x_, %w_ {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<17x32xf32>, tensor<2x7x16x8xf32>) -> tensor<17x32xf32>
    nn.yield %v : tensor<17x32xf32>
  }
  func.return %y : tensor<17x32xf32>
}

// CHECK-DAG: halide.split %out "x" to "no", "nj" by 16
// CHECK-DAG: halide.split %out "y" to "ro", "i" by 2 {tail = #halide<tail guard_with_if>}
// CHECK-DAG: halide.split %out "ro" to "rb", "ro" by 4 {tail = #halide<tail guard_with_if>}
// CHECK-DAG: halide.bound_storage %left_sums "r" {{.*}}4
// CHECK-DAG: halide.compute_at %left_sums at %out "rb"
// CHECK-DAG: halide.compute_at %products at %out "no"
// CHECK-DAG: halide.split %products "r" to "to", "tt" by 2 {tail = #halide<tail round_up>}
// CHECK-DAG: halide.compute_at %parts at %out "ro"
