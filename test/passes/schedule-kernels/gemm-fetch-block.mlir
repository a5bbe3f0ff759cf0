// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=16M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEAR

// Rows are worked on in blocks of four tiles, for which all four tiles of columns are swept. The
// first of these reads the rows from afar, and all fetch those of the next block: row after row,
// each of 32 lines. A left-hand side that stays in the second-level cache is not fetched.

func.func @f(%a: tensor<784x512xf32>, %b: tensor<8x512x16xf32>) -> tensor<784x128xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<784x512xf32>, tensor<8x512x16xf32>) -> tensor<784x128xf32> {
  ^bb0(%l: tensor<784x512xf32>, %r: tensor<8x512x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<784x512xf32>, tensor<8x512x16xf32>) -> tensor<784x128xf32>
    nn.yield %v : tensor<784x128xf32>
  }
  func.return %y : tensor<784x128xf32>
}

// CHECK:      halide.split %out "x" to "no", "nt" by 32 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 14 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "mo" to "mb", "mo" by 4 : !halide.func<f32, 2>
// CHECK:      halide.split %matmul "k" to "kb", "kt" by 2 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.prefetch_line %matmul "kb" of %in0 at affine_map<(d0, d1, d2) -> (((((((d0 floordiv 32) * 16384) + ((d1 floordiv 14) * 4096)) + ((d1 floordiv 56) * -16384)) + ((d2 floordiv 2) * 16)) + (((((((d0 floordiv 32) * 1024) + ((d1 floordiv 14) * 256)) + ((d1 floordiv 56) * -1024)) + (d2 floordiv 2)) floordiv 32) * -512)), ((((d1 floordiv 56) * 56) + 56) + ((((((d0 floordiv 32) * 1024) + ((d1 floordiv 14) * 256)) + ((d1 floordiv 56) * -1024)) + (d2 floordiv 2)) floordiv 32)))> {stage = 1 : i64} : !halide.func<f32, 2> of !halide.buffer<f32, [512, 784]>
// CHECK-NOT:  halide.prefetch_line

// NEAR-NOT:   halide.prefetch_line
