// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=16M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE

// Weights that do not stay in the second-level cache are fetched while the tile of columns before
// them is computed: a line in so many steps that the tiles of rows are done when all lines are
// there. All of these steps are unrolled where these are few multiply-adds. A tile divides the rows, even where another one would leave a little less over. What is
// added to the result is fetched a tile of rows ahead where the result is large. Nothing is fetched
// on machines whose prefetch passes by that cache, or where everything stays there. Where two vectors share a line, as
// of AVX2, each is fetched once: for every second step of the panel, in twice as many steps.

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
// AVX2:       halide.split %matmul "k" to "kb", "kt" by 16 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2-NEXT:  halide.split %matmul "kt" to "kr", "ku" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2-NEXT:  halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, ((((d1 floordiv 4) * 48) + (((d1 floordiv 4) floordiv 8) * -384)) + ((d2 floordiv 16) * 2)), ((((d0 floordiv 24) * 3) + 3) + ((d1 floordiv 4) floordiv 8)))> {stage = 1 : i64} : !halide.func<f32, 2> of !halide.buffer<f32, [16, 384, 96]>

// NONE-NOT:   halide.prefetch_line
// NONE:       halide.pipeline @matmul_add_1
// NONE-NOT:   halide.prefetch_line

func.func @addend(%a: tensor<784x128xf32>, %b: tensor<32x128x16xf32>, %c: tensor<784x512xf32>) -> tensor<784x512xf32> {
  %y = nn.kernel(%a, %b, %c) {config = #nn.config<gemm>} : (tensor<784x128xf32>, tensor<32x128x16xf32>, tensor<784x512xf32>) -> tensor<784x512xf32> {
  ^bb0(%l: tensor<784x128xf32>, %r: tensor<32x128x16xf32>, %s: tensor<784x512xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<784x128xf32>, tensor<32x128x16xf32>) -> tensor<784x512xf32>
    %w = nn.add %v, %s : (tensor<784x512xf32>, tensor<784x512xf32>) -> tensor<784x512xf32>
    nn.yield %w : tensor<784x512xf32>
  }
  func.return %y : tensor<784x512xf32>
}

// CHECK:      halide.pipeline @matmul_add_1
// CHECK:      halide.split %out "x" to "no", "nt" by 32 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 8 : !halide.func<f32, 2>
// CHECK-NOT:  halide.prefetch_line %matmul "kb" of %in1
// CHECK:      halide.prefetch_line %matmul "kb" of %in2 at affine_map<(d0, d1, d2) -> ((((d0 floordiv 32) * 32) + (((d2 floordiv 8) * 16) + (((d2 floordiv 8) floordiv 2) * -32))), ((((d1 floordiv 8) * 8) + 8) + ((d2 floordiv 8) floordiv 2)))> {stage = 1 : i64} : !halide.func<f32, 2> of !halide.buffer<f32, [512, 784]>
// CHECK-NOT:  halide.prefetch_line %matmul "kb" of %in1
