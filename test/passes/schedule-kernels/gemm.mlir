// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// Columns are vectors, rows the other side of the tile of sums.

func.func @f(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    nn.yield %v : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// AVX2:      halide.split %out "x" to "no", "nt" by 24 : !halide.func<f32, 2>
// AVX2-NEXT: halide.split %out "y" to "mo", "mt" by 4 : !halide.func<f32, 2>
// AVX2:      halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// AVX2-NEXT: halide.vectorize %matmul "x" by 8 : !halide.func<f32, 2>
// AVX2:      halide.vectorize %matmul "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>

// AVX512:      halide.split %out "x" to "no", "nt" by 48 : !halide.func<f32, 2>
// AVX512-NEXT: halide.split %out "y" to "mo", "mt" by 8 : !halide.func<f32, 2>
// AVX512:      halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// AVX512-NEXT: halide.vectorize %matmul "x" by 16 : !halide.func<f32, 2>
// AVX512:      halide.vectorize %matmul "x" by 16 {stage = 1 : i64} : !halide.func<f32, 2>

// NEON:      halide.split %out "x" to "no", "nt" by 16 : !halide.func<f32, 2>
// NEON-NEXT: halide.split %out "y" to "mo", "mt" by 6 : !halide.func<f32, 2>
// NEON:      halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// NEON-NEXT: halide.vectorize %matmul "x" by 4 : !halide.func<f32, 2>
// NEON:      halide.vectorize %matmul "x" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
