// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// The sums of a group of tiles stay in the vector registers of the machine from the first product to the last;
// a band of tile rows is as high as its transformed tiles have room for in the second-level cache.

func.func @f(%x: tensor<1x56x56x64xf32>, %w: tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x56x56x64xf32>, tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<4x6x6x64x16xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 4 : i64} : (tensor<1x56x56x64xf32>, tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  func.return %y : tensor<1x56x56x64xf32>
}

// AVX512: halide.split %out "c" to "cb", "cc" by 64 : !halide.func<f32, 4>
// AVX512: halide.split %out "cc" to "co", "ct" by 16 : !halide.func<f32, 4>
// AVX512: halide.split %out "y" to "yt", "j" by 4 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// AVX512: halide.split %out "yt" to "yb", "yo" by 2 : !halide.func<f32, 4>
// AVX512: halide.compute_at %input_tiles at %out "yb" : !halide.func<f32, 5> at !halide.func<f32, 4>
// AVX512: halide.compute_at %products at %out "cb" : !halide.func<f32, 5> at !halide.func<f32, 4>
// AVX512: halide.split %products "t" to "to", "tt" by 14 : !halide.func<f32, 5>
// AVX512: halide.compute_at %sums at %products "to" : !halide.func<f32, 5> at !halide.func<f32, 5>
// AVX512: halide.vectorize %sums "c" by 16 {stage = 1 : i64} : !halide.func<f32, 5>
// AVX512: halide.unroll %sums "t" {stage = 1 : i64} : !halide.func<f32, 5>
// AVX512: halide.compute_at %output_tiles at %out "co" : !halide.func<f32, 5> at !halide.func<f32, 4>

// AVX2: halide.split %out "c" to "cb", "cc" by 64 : !halide.func<f32, 4>
// AVX2: halide.split %out "cc" to "co", "ct" by 8 : !halide.func<f32, 4>
// AVX2: halide.split %out "y" to "yt", "j" by 4 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// AVX2: halide.split %out "yt" to "yb", "yo" by 1 : !halide.func<f32, 4>
// AVX2: halide.compute_at %input_tiles at %out "yb" : !halide.func<f32, 5> at !halide.func<f32, 4>
// AVX2: halide.compute_at %products at %out "cb" : !halide.func<f32, 5> at !halide.func<f32, 4>
// AVX2: halide.split %products "t" to "to", "tt" by 5 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 5>
// AVX2: halide.compute_at %sums at %products "to" : !halide.func<f32, 5> at !halide.func<f32, 5>
// AVX2: halide.vectorize %sums "c" by 8 {stage = 1 : i64} : !halide.func<f32, 5>
// AVX2: halide.unroll %sums "t" {stage = 1 : i64} : !halide.func<f32, 5>
// AVX2: halide.compute_at %output_tiles at %out "co" : !halide.func<f32, 5> at !halide.func<f32, 4>

// NEON: halide.split %out "c" to "cb", "cc" by 64 : !halide.func<f32, 4>
// NEON: halide.split %out "cc" to "co", "ct" by 4 : !halide.func<f32, 4>
// NEON: halide.split %out "y" to "yt", "j" by 4 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// NEON: halide.split %out "yt" to "yb", "yo" by 1 : !halide.func<f32, 4>
// NEON: halide.compute_at %input_tiles at %out "yb" : !halide.func<f32, 5> at !halide.func<f32, 4>
// NEON: halide.compute_at %products at %out "cb" : !halide.func<f32, 5> at !halide.func<f32, 4>
// NEON: halide.split %products "t" to "to", "tt" by 14 : !halide.func<f32, 5>
// NEON: halide.compute_at %sums at %products "to" : !halide.func<f32, 5> at !halide.func<f32, 5>
// NEON: halide.vectorize %sums "c" by 4 {stage = 1 : i64} : !halide.func<f32, 5>
// NEON: halide.unroll %sums "t" {stage = 1 : i64} : !halide.func<f32, 5>
// NEON: halide.compute_at %output_tiles at %out "co" : !halide.func<f32, 5> at !halide.func<f32, 4>
