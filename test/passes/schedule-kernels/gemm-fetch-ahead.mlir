// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE

// The lines of a tile of columns are fetched while the tile before is computed: a line in so many steps, all unrolled,
// that all lines are there when the tiles of rows are done. Nothing is fetched on machines whose prefetch passes by L2.
// If two vectors share a line, as of AVX2, each line is fetched once: for every second step of the panel.

func.func @weights(%a: tensor<128x384xf32>, %b: tensor<96x384x16xf32>) -> tensor<128x1536xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<128x384xf32>, tensor<96x384x16xf32>) -> tensor<128x1536xf32> {
  ^bb0(%l: tensor<128x384xf32>, %r: tensor<96x384x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<128x384xf32>, tensor<96x384x16xf32>) -> tensor<128x1536xf32>
    nn.yield %v : tensor<128x1536xf32>
  }
  func.return %y : tensor<128x1536xf32>
}

// CHECK:      halide.split %out "x" to "no", "nt" by 48 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %out ["nt", "mt", "mo", "no"] : !halide.func<f32, 2>
// CHECK:      halide.split %matmul "k" to "kb", "kt" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, ((((d1 floordiv 8) * 96) + (((d1 floordiv 8) floordiv 4) * -384)) + (d2 floordiv 4)), ((((d0 floordiv 48) * 3) + 3) + ((d1 floordiv 8) floordiv 4)))> {stage = 1 : i64} : !halide.func<f32, 2> of !halide.buffer<f32, [16, 384, 96]>
// CHECK:      halide.reorder %matmul ["x", "y", "kt", "kb"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK:      halide.unroll %matmul "kt" {stage = 1 : i64} : !halide.func<f32, 2>

// AVX2:       halide.split %out "y" to "mo", "mt" by 4 : !halide.func<f32, 2>
// AVX2:       halide.split %matmul "k" to "kb", "kt" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2-NEXT:  halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, ((((d1 floordiv 4) * 96) + (((d1 floordiv 4) floordiv 4) * -384)) + ((d2 floordiv 8) * 2)), ((((d0 floordiv 24) * 3) + 3) + ((d1 floordiv 4) floordiv 4)))> {stage = 1 : i64} : !halide.func<f32, 2> of !halide.buffer<f32, [16, 384, 96]>

// NONE-NOT:   halide.prefetch_line
