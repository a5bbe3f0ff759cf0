// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// Of a single row only columns are tiled: four vectors of sums, which do not wait for each other.

func.func @f(%a: tensor<1x256xf32>, %b: tensor<256x64xf32>) -> tensor<1x64xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemv>} : (tensor<1x256xf32>, tensor<256x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%a_: tensor<1x256xf32>, %b_: tensor<256x64xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<1x256xf32>, tensor<256x64xf32>) -> tensor<1x64xf32>
    nn.yield %v : tensor<1x64xf32>
  }
  func.return %y : tensor<1x64xf32>
}

// AVX2:       halide.split %out "x" to "no", "nt" by 32 : !halide.func<f32, 2>
// AVX2:       halide.vectorize %out "nt" by 8 : !halide.func<f32, 2>
// AVX2:       halide.unroll %out "nt" : !halide.func<f32, 2>
// AVX2:       halide.compute_at %matmul at %out "no" : !halide.func<f32, 2> at !halide.func<f32, 2>
// AVX2:       halide.vectorize %matmul "x" by 8 : !halide.func<f32, 2>
// AVX2:       halide.unroll %matmul "x" : !halide.func<f32, 2>
// AVX2:       halide.reorder %matmul ["x", "k"] {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2:       halide.vectorize %matmul "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2:       halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
// AVX2:       halide.unroll %matmul "k" by 4 {stage = 1 : i64} : !halide.func<f32, 2>

// AVX512:       halide.split %out "x" to "no", "nt" by 64 : !halide.func<f32, 2>
// AVX512:       halide.vectorize %out "nt" by 16 : !halide.func<f32, 2>
// AVX512:       halide.unroll %out "nt" : !halide.func<f32, 2>
// AVX512:       halide.compute_at %matmul at %out "no" : !halide.func<f32, 2> at !halide.func<f32, 2>
// AVX512:       halide.vectorize %matmul "x" by 16 : !halide.func<f32, 2>
// AVX512:       halide.unroll %matmul "x" : !halide.func<f32, 2>
// AVX512:       halide.reorder %matmul ["x", "k"] {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512:       halide.vectorize %matmul "x" by 16 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512:       halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512:       halide.unroll %matmul "k" by 4 {stage = 1 : i64} : !halide.func<f32, 2>

// NEON:       halide.split %out "x" to "no", "nt" by 16 : !halide.func<f32, 2>
// NEON:       halide.vectorize %out "nt" by 4 : !halide.func<f32, 2>
// NEON:       halide.unroll %out "nt" : !halide.func<f32, 2>
// NEON:       halide.compute_at %matmul at %out "no" : !halide.func<f32, 2> at !halide.func<f32, 2>
// NEON:       halide.vectorize %matmul "x" by 4 : !halide.func<f32, 2>
// NEON:       halide.unroll %matmul "x" : !halide.func<f32, 2>
// NEON:       halide.reorder %matmul ["x", "k"] {stage = 1 : i64} : !halide.func<f32, 2>
// NEON:       halide.vectorize %matmul "x" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
// NEON:       halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
// NEON:       halide.unroll %matmul "k" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
