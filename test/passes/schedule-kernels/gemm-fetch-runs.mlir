// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:l2=2M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// 49 rows use each weight so seldom that a line is wanted every 42 multiply-adds: memory brings them
// in four runs of 512 lines, of which one is fetched in turn.

// CHECK-LABEL: halide.pipeline
// CHECK: halide.split %out "y" to "mo", "mt" by 7 : !halide.func<f32, 2>
// CHECK: halide.split %matmul "k" to "kb", "kt" by 2 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK: halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, ((((((d1 floordiv 7) * 524288) + (((d1 floordiv 7) floordiv 2) * -1048576)) + ((d2 floordiv 2) * 512)) + ((((((d1 floordiv 7) * 1024) + (((d1 floordiv 7) floordiv 2) * -2048)) + (d2 floordiv 2)) floordiv 4) * -2048)) + (((((d1 floordiv 7) * 1024) + (((d1 floordiv 7) floordiv 2) * -2048)) + (d2 floordiv 2)) floordiv 4)), ((((d0 floordiv 48) * 3) + 3) + ((d1 floordiv 7) floordiv 2)))>
func.func @few(%a: tensor<49x2048xf32>, %b: tensor<96x2048x16xf32>) -> tensor<49x1536xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<49x2048xf32>, tensor<96x2048x16xf32>) -> tensor<49x1536xf32> {
  ^bb0(%l: tensor<49x2048xf32>, %r: tensor<96x2048x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<49x2048xf32>, tensor<96x2048x16xf32>) -> tensor<49x1536xf32>
    nn.yield %v : tensor<49x1536xf32>
  }
  func.return %y : tensor<49x1536xf32>
}

// -----

// The lines of a vector of columns, of which there are as many as steps of the reduction, cannot be
// shared out in four: they are fetched one after another.

// CHECK-LABEL: halide.pipeline
// CHECK: halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, ((((d1 floordiv 7) * 1023) + (((d1 floordiv 7) floordiv 2) * -2046)) + (d2 floordiv 2)), ((((d0 floordiv 48) * 3) + 3) + ((d1 floordiv 7) floordiv 2)))>
func.func @odd(%a: tensor<49x2046xf32>, %b: tensor<96x2046x16xf32>) -> tensor<49x1536xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<49x2046xf32>, tensor<96x2046x16xf32>) -> tensor<49x1536xf32> {
  ^bb0(%l: tensor<49x2046xf32>, %r: tensor<96x2046x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<49x2046xf32>, tensor<96x2046x16xf32>) -> tensor<49x1536xf32>
    nn.yield %v : tensor<49x1536xf32>
  }
  func.return %y : tensor<49x1536xf32>
}
