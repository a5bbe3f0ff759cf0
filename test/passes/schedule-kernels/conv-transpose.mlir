// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// A transposed convolution is summed in the registers in the same tiles. Two neighbouring pixels read
// the same inputs, each with weights of its own, so that a tile has an even number of them.

func.func @f(%y: tensor<1x9x11x32xf32>, %u: tensor<4x4x32x64xf32>) -> tensor<1x18x22x64xf32> {
  %up = nn.kernel(%y, %u) {config = #nn.config<direct_conv>} : (tensor<1x9x11x32xf32>, tensor<4x4x32x64xf32>) -> tensor<1x18x22x64xf32> {
  ^bb0(%x_: tensor<1x9x11x32xf32>, %w_: tensor<4x4x32x64xf32>):
    %v = nn.conv_transpose %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x9x11x32xf32>, tensor<4x4x32x64xf32>) -> tensor<1x18x22x64xf32>
    nn.yield %v : tensor<1x18x22x64xf32>
  }
  func.return %up : tensor<1x18x22x64xf32>
}

// AVX512:     halide.split %out "c" to "co", "ct" by 32 : !halide.func<f32, 4>
// AVX512-NEXT:   halide.split %out "x" to "xo", "xt" by 12 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// AVX512:     halide.compute_root %padded : !halide.func<f32, 4>
// AVX512:     halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512:     halide.vectorize %conv "c" by 16 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512:     halide.unroll %conv "ci" by 4 {stage = 1 : i64} : !halide.func<f32, 4>

// AVX2:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// AVX2-NEXT:   halide.split %out "x" to "xo", "xt" by 12 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.bound_storage %conv "x" extent 12 : !halide.func<f32, 4>
// AVX2:       halide.compute_root %padded : !halide.func<f32, 4>
// AVX2:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2:       halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2:       halide.unroll %conv "ci" by 4 {stage = 1 : i64} : !halide.func<f32, 4>

// NEON:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// NEON-NEXT:   halide.split %out "x" to "xo", "xt" by 12 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// NEON:       halide.compute_root %padded : !halide.func<f32, 4>
// NEON:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.vectorize %conv "c" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NOT:    halide.unroll %conv "ci"
