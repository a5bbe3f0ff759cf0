// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// A long row is folded in several vectors at once, a row that a fold leaves is one of vectors, too.

func.func @long(%x: tensor<4x1000xf32>) -> tensor<4xf32> {
  %y = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<4x1000xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

func.func @rows(%x: tensor<4x9x30xf32>) -> tensor<4xf32> {
  %y = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1, 2>} : (tensor<4x9x30xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// AVX512: halide.pipeline @reduce_0
// AVX512: halide.compute_at %reduce_sum_lanes at %out "x" : !halide.func<f32, 2> at !halide.func<f32, 1>
// AVX512-NEXT: halide.split %reduce_sum_lanes "lane" to "laneo", "lanei" by 16 : !halide.func<f32, 2>
// AVX512-NEXT: halide.vectorize %reduce_sum_lanes "lanei" : !halide.func<f32, 2>
// AVX512-NEXT: halide.unroll %reduce_sum_lanes "laneo" : !halide.func<f32, 2>
// AVX512-NEXT: halide.split %reduce_sum_lanes "lane" to "laneo", "lanei" by 16 {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512-NEXT: halide.vectorize %reduce_sum_lanes "lanei" {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512-NEXT: halide.unroll %reduce_sum_lanes "laneo" {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512-NEXT: halide.reorder %reduce_sum_lanes ["lanei", "laneo", "block"] {stage = 1 : i64} : !halide.func<f32, 2>
// AVX512-NEXT: halide.compute_at %reduce_sum at %out "x" : !halide.func<f32, 2> at !halide.func<f32, 1>
// AVX512-NEXT: }

// AVX512: halide.pipeline @reduce_1
// AVX512: halide.compute_at %reduce_sum_rows at %out "x" : !halide.func<f32, 3> at !halide.func<f32, 1>
// AVX512-NEXT: halide.split %reduce_sum_rows "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 3>
// AVX512-NEXT: halide.vectorize %reduce_sum_rows "xi" : !halide.func<f32, 3>
// AVX512-NEXT: halide.split %reduce_sum_rows "x" to "xo", "xi" by 16 {tail = #halide<tail guard_with_if>, stage = 1 : i64} : !halide.func<f32, 3>
// AVX512-NEXT: halide.vectorize %reduce_sum_rows "xi" {stage = 1 : i64} : !halide.func<f32, 3>
// AVX512-NEXT: halide.compute_at %reduce_sum_lanes at %out "x" : !halide.func<f32, 3> at !halide.func<f32, 1>
// AVX512-NEXT: halide.vectorize %reduce_sum_lanes "lane" by 16 : !halide.func<f32, 3>
// AVX512-NEXT: halide.vectorize %reduce_sum_lanes "lane" by 16 {stage = 1 : i64} : !halide.func<f32, 3>
// AVX512-NEXT: halide.reorder %reduce_sum_lanes ["lane", "block"] {stage = 1 : i64} : !halide.func<f32, 3>
// AVX512-NEXT: halide.unroll %reduce_sum_lanes "block" {stage = 1 : i64} : !halide.func<f32, 3>

// NEON: halide.pipeline @reduce_0
// NEON: halide.split %reduce_sum_lanes "lane" to "laneo", "lanei" by 4 : !halide.func<f32, 2>
// NEON: halide.pipeline @reduce_1
// NEON: halide.split %reduce_sum_rows "x" to "xo", "xi" by 4 {tail = #halide<tail guard_with_if>, stage = 1 : i64} : !halide.func<f32, 3>
// NEON: halide.split %reduce_sum_lanes "lane" to "laneo", "lanei" by 4 : !halide.func<f32, 3>
