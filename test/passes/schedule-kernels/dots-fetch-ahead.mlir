// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-sapphirerapids --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Weights of integers that exceed the L2 cache are prefetched as floats are: lines count the neighbours that a dot sums
// as one element.

// A tile of columns is three vectors. Each step of theirs is a line.

// CHECK:      halide.split %matmul "k" to "kb", "kt" by 8 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK:      halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, 0, ((((d1 floordiv 7) * 256) + (((d1 floordiv 7) floordiv 2) * -512)) + ((d2 floordiv 4) floordiv 2)), ((((d0 floordiv 48) * 3) + 3) + ((d1 floordiv 7) floordiv 2)))> {stage = 1 : i64} : !halide.func<i32, 2> of !halide.buffer<i8, [4, 16, 512, 63]>
// CHECK:      halide.split %matmul "kt" to "kt", "dot" by 4 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK:      halide.reorder %matmul ["dot", "x", "y", "kt", "kb"] {stage = 1 : i64} : !halide.func<i32, 2>
func.func @product(%a: tensor<49x2048xui8>, %b: tensor<63x512x16x4xi8>) -> tensor<49x1008xi32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<49x2048xui8>, tensor<63x512x16x4xi8>) -> tensor<49x1008xi32> {
  ^bb0(%l: tensor<49x2048xui8>, %r: tensor<63x512x16x4xi8>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16, 0 by 4>, accumulator = i32} : (tensor<49x2048xui8>, tensor<63x512x16x4xi8>) -> tensor<49x1008xi32>
    nn.yield %v : tensor<49x1008xi32>
  }
  func.return %y : tensor<49x1008xi32>
}

// -----

// Each vector of a single row is a run of memory of its own.

// CHECK:      halide.split %matmul "k" to "kb", "kt" by 4 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK:      halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, 0, (((d2 floordiv 4) floordiv 1) + 32), ((d0 floordiv 64) * 4))> {stage = 1 : i64} : !halide.func<i32, 2> of !halide.buffer<i8, [4, 16, 1024, 64]>
// CHECK:      halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, 0, (((d2 floordiv 4) floordiv 1) + 32), (((d0 floordiv 64) * 4) + 1))> {stage = 1 : i64} : !halide.func<i32, 2> of !halide.buffer<i8, [4, 16, 1024, 64]>
// CHECK:      halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, 0, (((d2 floordiv 4) floordiv 1) + 32), (((d0 floordiv 64) * 4) + 2))> {stage = 1 : i64} : !halide.func<i32, 2> of !halide.buffer<i8, [4, 16, 1024, 64]>
// CHECK:      halide.prefetch_line %matmul "kb" of %in1 at affine_map<(d0, d1, d2) -> (0, 0, (((d2 floordiv 4) floordiv 1) + 32), (((d0 floordiv 64) * 4) + 3))> {stage = 1 : i64} : !halide.func<i32, 2> of !halide.buffer<i8, [4, 16, 1024, 64]>
// CHECK:      halide.split %matmul "kt" to "kt", "dot" by 4 {stage = 1 : i64} : !halide.func<i32, 2>
// CHECK:      halide.reorder %matmul ["dot", "x", "kt", "kb"] {stage = 1 : i64} : !halide.func<i32, 2>
func.func @row(%a: tensor<1x4096xui8>, %b: tensor<64x1024x16x4xi8>) -> tensor<1x1024xi32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemv>} : (tensor<1x4096xui8>, tensor<64x1024x16x4xi8>) -> tensor<1x1024xi32> {
  ^bb0(%l: tensor<1x4096xui8>, %r: tensor<64x1024x16x4xi8>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16, 0 by 4>, accumulator = i32} : (tensor<1x4096xui8>, tensor<64x1024x16x4xi8>) -> tensor<1x1024xi32>
    nn.yield %v : tensor<1x1024xi32>
  }
  func.return %y : tensor<1x1024xi32>
}
