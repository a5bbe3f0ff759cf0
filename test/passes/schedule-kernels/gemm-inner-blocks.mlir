// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=8M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEAR

// A right-hand side larger than the second-level cache, and so few tiles of rows that nothing can be
// fetched ahead meanwhile: the inner axis is cut in
// sections side by side, each worked on a block at a time, for which all tiles of rows are swept.
// The sums of all rows and a tile of columns then lie in memory. Of a right-hand side that is near
// the tiles of rows are swept for the whole inner axis.

func.func @f(%a: tensor<28x512xf32>, %b: tensor<129x512x16xf32>) -> tensor<28x2048xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<28x512xf32>, tensor<129x512x16xf32>) -> tensor<28x2048xf32> {
  ^bb0(%l: tensor<28x512xf32>, %r: tensor<129x512x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 2048>} : (tensor<28x512xf32>, tensor<129x512x16xf32>) -> tensor<28x2048xf32>
    nn.yield %v : tensor<28x2048xf32>
  }
  func.return %y : tensor<28x2048xf32>
}

// CHECK:      halide.split %out "x" to "no", "nt" by 48
// CHECK-NEXT: halide.reorder %out ["nt", "y", "no"] : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "nt" by 16 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %matmul at %out "no"
// CHECK-NEXT: halide.bound_extent %matmul "x" extent 48 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %matmul "x" by 16 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "x" : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %matmul "y" to "mo", "mt" by 7 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %matmul "k" to "ks", "kr" by 128 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %matmul "kr" to "kb", "kt" by 16 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %matmul ["x", "mt", "ks", "kt", "mo", "kb"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %matmul "x" by 16 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "mt" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "ks" {stage = 1 : i64} : !halide.func<f32, 2>

// Tiles of AVX2 have fewer rows, so there are more of them, and lines for which few steps are needed: they are fetched.

// AVX2:       halide.split %matmul "k" to "kb", "kt" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2-NEXT:  halide.prefetch_line %matmul "kb" of %in1

// NEAR-NOT:   "kb"
// NEAR:       halide.compute_at %matmul at %out "mo"
// NEAR-NOT:   "kb"
