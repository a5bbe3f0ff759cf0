// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Tiles do not divide the rows of a product that fetches weights. The last tile does not move
// inwards, so that the number of a tile says which line is fetched: sums below the last row are
// made of that row, and not stored.

func.func @f(%a: tensor<197x384xf32>, %b: tensor<96x384x16xf32>) -> tensor<197x1536xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<197x384xf32>, tensor<96x384x16xf32>) -> tensor<197x1536xf32> {
  ^bb0(%l: tensor<197x384xf32>, %r: tensor<96x384x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<197x384xf32>, tensor<96x384x16xf32>) -> tensor<197x1536xf32>
    nn.yield %v : tensor<197x1536xf32>
  }
  func.return %y : tensor<197x1536xf32>
}

// CHECK:      [[LAST:%[0-9]+]] = halide.const 196 : i32
// CHECK-NEXT: [[ROW:%[0-9]+]] = halide.min %y_1, [[LAST]] : i32
// CHECK-NEXT: halide.load %in0[%k, [[ROW]]]
// CHECK:      halide.split %out "y" to "mo", "mt" by 9 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %matmul "y" extent 9 : !halide.func<f32, 2>
// CHECK:      halide.split %matmul "k" to "kb", "kt" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.prefetch_line %matmul "kb" of %in1 at
