// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:cores=8 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=CORES

// A small image is padded at once, a larger one in bands of rows; with several cores each pads its bands.

// CHECK:       halide.pipeline @conv_0
// CHECK:       halide.compute_root %padded
// CORES:       halide.pipeline @conv_0
// CORES:       halide.compute_at %padded at %out "yo"
func.func @small(%x: tensor<1x32x32x32xf32>, %w: tensor<3x3x32x32xf32>) -> tensor<1x32x32x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x32x32x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x32x32x32xf32> {
  ^bb0(%x_: tensor<1x32x32x32xf32>, %w_: tensor<3x3x32x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x32x32x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x32x32x32xf32>
    nn.yield %v : tensor<1x32x32x32xf32>
  }
  func.return %y : tensor<1x32x32x32xf32>
}

// -----

// CHECK:       halide.pipeline @conv_0
// CHECK:       halide.compute_at %padded at %out "yo"
func.func @large(%x: tensor<1x64x64x32xf32>, %w: tensor<3x3x32x32xf32>) -> tensor<1x64x64x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x64x64x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x64x64x32xf32> {
  ^bb0(%x_: tensor<1x64x64x32xf32>, %w_: tensor<3x3x32x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x64x64x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x64x64x32xf32>
    nn.yield %v : tensor<1x64x64x32xf32>
  }
  func.return %y : tensor<1x64x64x32xf32>
}
