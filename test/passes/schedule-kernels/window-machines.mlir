// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// A depthwise convolution and a pool keep one vector of channels by some pixels of a row: as many as share
// taps; sums of products take half of the registers at most, others a third. Small windows are unrolled, and two rows
// of them fit in 32 registers. Of larger ones the row is unrolled.

func.func @f(%x: tensor<1x30x28x96xf32>, %w: tensor<3x3x1x96xf32>, %u: tensor<11x5x1x96xf32>) -> (tensor<1x28x26x96xf32>, tensor<1x20x24x96xf32>, tensor<1x28x26x96xf32>) {
  %small = nn.kernel(%x, %w) {config = #nn.config<depthwise>} : (tensor<1x30x28x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x28x26x96xf32> {
  ^bb0(%x_: tensor<1x30x28x96xf32>, %w_: tensor<3x3x1x96xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x28x26x96xf32>
    nn.yield %v : tensor<1x28x26x96xf32>
  }
  %large = nn.kernel(%x, %u) {config = #nn.config<depthwise>} : (tensor<1x30x28x96xf32>, tensor<11x5x1x96xf32>) -> tensor<1x20x24x96xf32> {
  ^bb0(%x_: tensor<1x30x28x96xf32>, %w_: tensor<11x5x1x96xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x96xf32>, tensor<11x5x1x96xf32>) -> tensor<1x20x24x96xf32>
    nn.yield %v : tensor<1x20x24x96xf32>
  }
  %pool = nn.kernel(%x) {config = #nn.config<window>} : (tensor<1x30x28x96xf32>) -> tensor<1x28x26x96xf32> {
  ^bb0(%x_: tensor<1x30x28x96xf32>):
    %v = nn.max_pool %x_ {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x30x28x96xf32>) -> tensor<1x28x26x96xf32>
    nn.yield %v : tensor<1x28x26x96xf32>
  }
  func.return %small, %large, %pool : tensor<1x28x26x96xf32>, tensor<1x20x24x96xf32>, tensor<1x28x26x96xf32>
}

// AVX512:     halide.split %out "c" to "co", "ct" by 16 : !halide.func<f32, 4>
// AVX512-NEXT:   halide.split %out "x" to "xo", "xt" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.split %out "y" to "yo", "yt" by 2 : !halide.func<f32, 4>
// AVX512:     halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512:     halide.vectorize %conv "c" by 16 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %conv "y" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %conv "ky" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NOT:    halide.unroll
// AVX512:     halide.split %out "c" to "co", "ct" by 16 : !halide.func<f32, 4>
// AVX512-NEXT:   halide.split %out "x" to "xo", "xt" by 8 : !halide.func<f32, 4>
// AVX512:     halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512:     halide.vectorize %conv "c" by 16 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NOT:    halide.unroll
// AVX512:     halide.split %out "c" to "co", "ct" by 16 : !halide.func<f32, 4>
// AVX512-NEXT:   halide.split %out "x" to "xo", "xt" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// AVX512:     halide.compute_at %max_pool at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512:     halide.vectorize %max_pool "c" by 16 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %max_pool "x" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %max_pool "k1" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NEXT:   halide.unroll %max_pool "k0" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512-NOT:    halide.unroll

// AVX2:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// AVX2-NEXT:   halide.split %out "x" to "xo", "xt" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// AVX2:       halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2:       halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %conv "ky" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NOT:    halide.unroll
// AVX2:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// AVX2-NEXT:   halide.split %out "x" to "xo", "xt" by 8 : !halide.func<f32, 4>
// AVX2:       halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2:       halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NOT:    halide.unroll
// AVX2:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// AVX2-NEXT:   halide.split %out "x" to "xo", "xt" by 4 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// AVX2:       halide.compute_at %max_pool at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2:       halide.vectorize %max_pool "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %max_pool "x" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %max_pool "k1" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NEXT:   halide.unroll %max_pool "k0" {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2-NOT:    halide.unroll

// NEON:       halide.split %out "c" to "co", "ct" by 4 : !halide.func<f32, 4>
// NEON-NEXT:   halide.split %out "x" to "xo", "xt" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// NEON-NEXT:   halide.split %out "y" to "yo", "yt" by 2 : !halide.func<f32, 4>
// NEON:       halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.vectorize %conv "c" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %conv "y" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %conv "ky" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NOT:    halide.unroll
// NEON:       halide.split %out "c" to "co", "ct" by 4 : !halide.func<f32, 4>
// NEON-NEXT:   halide.split %out "x" to "xo", "xt" by 8 : !halide.func<f32, 4>
// NEON:       halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.vectorize %conv "c" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NOT:    halide.unroll
// NEON:       halide.split %out "c" to "co", "ct" by 4 : !halide.func<f32, 4>
// NEON-NEXT:   halide.split %out "x" to "xo", "xt" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// NEON:       halide.compute_at %max_pool at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.vectorize %max_pool "c" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %max_pool "x" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %max_pool "k1" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NEXT:   halide.unroll %max_pool "k0" {stage = 1 : i64} : !halide.func<f32, 4>
// NEON-NOT:    halide.unroll
