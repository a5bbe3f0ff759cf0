// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// The tile of sums fills the vector registers of the machine, one or two vectors of channels by as many
// pixels of a row as waste the least: 16 registers hold two vectors by 6 pixels, which 26 are not a multiple of.
// A sum of 576 products is one of three runs, which are summed in the same registers.
// Four channels are summed in one pass of the loop where instructions take an operand from memory.

func.func @f(%x: tensor<1x30x28x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x28x26x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x30x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x26x64xf32> {
  ^bb0(%x_: tensor<1x30x28x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x26x64xf32>
    nn.yield %v : tensor<1x28x26x64xf32>
  }
  func.return %y : tensor<1x28x26x64xf32>
}

// AVX2:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// AVX2:       halide.split %out "x" to "xo", "xt" by 13 : !halide.func<f32, 4>
// AVX2:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX2-NEXT:  halide.reorder %conv ["c", "x", "kyrun"] {stage = 1 : i64} : !halide.func<f32, 4>
// AVX2:       halide.compute_at %run at %conv "kyrun" : !halide.func<f32, 5> at !halide.func<f32, 4>
// AVX2:       halide.vectorize %run "c" by 8 {stage = 1 : i64} : !halide.func<f32, 5>
// AVX2:       halide.unroll %run "ci" by 4 {stage = 1 : i64} : !halide.func<f32, 5>

// AVX512:       halide.split %out "c" to "co", "ct" by 32 : !halide.func<f32, 4>
// AVX512:       halide.split %out "x" to "xo", "xt" by 13 : !halide.func<f32, 4>
// AVX512:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// AVX512-NEXT:  halide.reorder %conv ["c", "x", "kyrun"] {stage = 1 : i64} : !halide.func<f32, 4>
// AVX512:       halide.compute_at %run at %conv "kyrun" : !halide.func<f32, 5> at !halide.func<f32, 4>
// AVX512:       halide.vectorize %run "c" by 16 {stage = 1 : i64} : !halide.func<f32, 5>
// AVX512:       halide.unroll %run "ci" by 4 {stage = 1 : i64} : !halide.func<f32, 5>

// NEON:       halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// NEON:       halide.split %out "x" to "xo", "xt" by 13 : !halide.func<f32, 4>
// NEON:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// NEON:       halide.vectorize %run "c" by 4 {stage = 1 : i64} : !halide.func<f32, 5>
// NEON-NOT:   halide.unroll %run "ci"
