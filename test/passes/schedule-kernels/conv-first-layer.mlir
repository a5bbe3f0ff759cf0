// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// A first layer has few input channels, all of which are summed in one pass of the loop. The tile is that of
// other convolutions; the image is padded in bands of rows, which stay in the cache until they are read.

func.func @f(%x: tensor<1x224x224x3xf32>, %w: tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32> {
  %first = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%x_: tensor<1x224x224x3xf32>, %w_: tensor<7x7x3x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
    nn.yield %v : tensor<1x112x112x64xf32>
  }
  func.return %first : tensor<1x112x112x64xf32>
}

// AVX512:     halide.split %out "c" to "co", "ct" by 64 : !halide.func<f32, 4>
// AVX512-NEXT:   halide.split %out "x" to "xo", "xt" by 6 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.bound_storage %conv "x" extent 6 : !halide.func<f32, 4>
// AVX512:     halide.split %out "y" to "yo", "yt" by 4 : !halide.func<f32, 4>
// AVX512:     halide.compute_at %padded at %out "yo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512:     halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512:     halide.vectorize %conv "c" by 16 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512:     halide.unroll %conv "ci" {stage = 1 : i64} : !halide.func<f32, 4>

// AVX2:       halide.split %out "c" to "co", "ct" by 16 : !halide.func<f32, 4>
// AVX2-NEXT:   halide.split %out "x" to "xo", "xt" by 6 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.bound_storage %conv "x" extent 6 : !halide.func<f32, 4>
// AVX2:       halide.split %out "y" to "yo", "yt" by 4 : !halide.func<f32, 4>
// AVX2:       halide.compute_at %padded at %out "yo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2:       halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2:       halide.unroll %conv "ci" {stage = 1 : i64} : !halide.func<f32, 4>

// NEON:       halide.split %out "c" to "co", "ct" by 16 : !halide.func<f32, 4>
// NEON-NEXT:   halide.split %out "x" to "xo", "xt" by 6 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// NEON-NEXT:   halide.bound_storage %conv "x" extent 6 : !halide.func<f32, 4>
// NEON:       halide.split %out "y" to "yo", "yt" by 4 : !halide.func<f32, 4>
// NEON:       halide.compute_at %padded at %out "yo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.vectorize %conv "c" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// NEON:       halide.unroll %conv "ci" {stage = 1 : i64} : !halide.func<f32, 4>
