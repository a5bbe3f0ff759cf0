// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A large right-hand side comes from beyond the second-level cache, and too few rows are computed
// with a tile of columns to fetch the next one meanwhile: its inner axis is read in four places at a
// time, each of two vectors of columns.

func.func @f(%a: tensor<13x384xf32>, %b: tensor<96x384x16xf32>) -> tensor<13x1536xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<13x384xf32>, tensor<96x384x16xf32>) -> tensor<13x1536xf32> {
  ^bb0(%l: tensor<13x384xf32>, %r: tensor<96x384x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<13x384xf32>, tensor<96x384x16xf32>) -> tensor<13x1536xf32>
    nn.yield %v : tensor<13x1536xf32>
  }
  func.return %y : tensor<13x1536xf32>
}

// CHECK:      halide.split %out "x" to "no", "nt" by 32 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 13 : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %out ["nt", "mt", "mo", "no"] : !halide.func<f32, 2>
// CHECK:      halide.split %matmul "k" to "ks", "kt" by 96 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK:      halide.reorder %matmul ["x", "y", "ks", "kt"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK:      halide.unroll %matmul "ks" {stage = 1 : i64} : !halide.func<f32, 2>
