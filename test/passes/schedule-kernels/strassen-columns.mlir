// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --convert-nn-to-halide --schedule-kernels | filecheck %s

// Cores share the blocks of groups of 2 of 3 tiles of columns. Each iteration makes the sums of its rows.

func.func @f(%x: tensor<16x32xf32>, %w: tensor<3x7x16x8xf32>) -> tensor<16x48xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<strassen, parts = [2, 2], tile = [8, 2], block = [2], fetch = [2], parallel = [blocks, columns], group = [2]>} : (tensor<16x32xf32>, tensor<3x7x16x8xf32>) -> tensor<16x48xf32> {
  ^bb0(%x_: tensor<16x32xf32>, %w_: tensor<3x7x16x8xf32>):
    %v = nn.matmul %x_, %w_ {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<16x32xf32>, tensor<3x7x16x8xf32>) -> tensor<16x48xf32>
    nn.yield %v : tensor<16x48xf32>
  }
  func.return %y : tensor<16x48xf32>
}

// CHECK-DAG: halide.split %out "no" to "ng", "no" by 2 {tail = #halide<tail guard_with_if>}
// CHECK-DAG: halide.fuse %out "rb", "ng" to "ng_rb"
// CHECK-DAG: halide.parallel %out "ng_rb"
// CHECK-DAG: halide.partition %out "ng_rb" never
// CHECK-DAG: halide.bound_storage %left_sums "r" {{.*}}4
// CHECK-DAG: halide.compute_at %left_sums at %out "ng_rb"
