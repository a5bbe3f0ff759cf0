// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=CORES

// A small filter stays near: all tiles of channels of some pixels are computed before the next pixels. Bands of rows
// are outside of that, as threads share them.

// CHECK:       halide.pipeline @conv_0
// CHECK:       halide.reorder %out ["ct", "xt", "co", "xo", "yt", "yo", "n"] : !halide.func<f32, 4>
// CHECK:       halide.compute_at %conv at %out "co"
// CHECK:       halide.unroll %conv "ci" {stage = 1 : i64}
// CORES:       halide.reorder %out ["ct", "xt", "co", "xo", "yt", "yo", "n"] : !halide.func<f32, 4>
// CORES:       halide.parallel %out "yo"
func.func @near(%x: tensor<1x224x224x3xf32>, %w: tensor<3x3x3x64xf32>) -> tensor<1x224x224x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x224x224x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x224x224x64xf32> {
  ^bb0(%x_: tensor<1x224x224x3xf32>, %w_: tensor<3x3x3x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x224x224x64xf32>
    nn.yield %v : tensor<1x224x224x64xf32>
  }
  func.return %y : tensor<1x224x224x64xf32>
}

// -----

// CHECK:       halide.reorder %out ["ct", "xt", "co", "xo", "y", "n"] : !halide.func<f32, 4>
// CHECK:       halide.compute_at %conv at %out "co"
// CORES:       halide.reorder %out ["ct", "xt", "co", "xo", "y", "n"] : !halide.func<f32, 4>
// CORES:       halide.parallel %out "y"
func.func @near_without_pads(%x: tensor<1x224x224x3xf32>, %w: tensor<3x3x3x64xf32>) -> tensor<1x222x222x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x224x224x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x222x222x64xf32> {
  ^bb0(%x_: tensor<1x224x224x3xf32>, %w_: tensor<3x3x3x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x222x222x64xf32>
    nn.yield %v : tensor<1x222x222x64xf32>
  }
  func.return %y : tensor<1x222x222x64xf32>
}

// -----

// Of a larger filter, one tile stays near while a band is swept for it.

// CHECK:       halide.reorder %out ["ct", "xt", "xo", "yt", "co", "yo", "n"] : !halide.func<f32, 4>
// CHECK:       halide.compute_at %conv at %out "xo"
func.func @larger(%x: tensor<1x224x224x3xf32>, %w: tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%x_: tensor<1x224x224x3xf32>, %w_: tensor<7x7x3x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
    nn.yield %v : tensor<1x112x112x64xf32>
  }
  func.return %y : tensor<1x112x112x64xf32>
}

// -----

// One row gives threads nothing to share but tiles of channels, which are then outermost.

// CHECK:       halide.reorder %out ["ct", "xt", "xo", "co", "n"] : !halide.func<f32, 3>
// CHECK:       halide.compute_at %conv at %out "xo"
func.func @row(%x: tensor<1x224x3xf32>, %w: tensor<3x3x64xf32>) -> tensor<1x222x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x224x3xf32>, tensor<3x3x64xf32>) -> tensor<1x222x64xf32> {
  ^bb0(%x_: tensor<1x224x3xf32>, %w_: tensor<3x3x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 1, 0]>} : (tensor<1x224x3xf32>, tensor<3x3x64xf32>) -> tensor<1x222x64xf32>
    nn.yield %v : tensor<1x222x64xf32>
  }
  func.return %y : tensor<1x222x64xf32>
}
