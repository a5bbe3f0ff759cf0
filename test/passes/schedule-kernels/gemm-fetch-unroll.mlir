// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Of 8 steps to a prefetch, 4 are unrolled: they are a loop within the loop of prefetches.

func.func @f(%a: tensor<384x768xf32>, %b: tensor<192x768x16xf32>) -> tensor<384x3072xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm, tile = [48, 8], fetch = [8, rhs], unroll = [4]>} : (tensor<384x768xf32>, tensor<192x768x16xf32>) -> tensor<384x3072xf32> {
  ^bb0(%l: tensor<384x768xf32>, %r: tensor<192x768x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<384x768xf32>, tensor<192x768x16xf32>) -> tensor<384x3072xf32>
    nn.yield %v : tensor<384x3072xf32>
  }
  func.return %y : tensor<384x3072xf32>
}

// CHECK:      halide.split %matmul "k" to "kb", "kt" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %matmul "kt" to "kr", "ku" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.prefetch_line %matmul "kb" of %in1
// CHECK:      halide.reorder %matmul ["x", "y", "ku", "kr", "kb"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK:      halide.unroll %matmul "ku" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NOT:  halide.unroll %matmul "k
