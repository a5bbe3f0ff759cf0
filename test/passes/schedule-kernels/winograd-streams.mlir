// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// Products take their steps from four places in turn, each a page of weights at least: 256 steps of
// 32 channels are eight pages. A step of NEON's 8 channels is a quarter of that: two places. (No
// groups divide these 17 tiles, so nothing is fetched ahead.)

// CHECK: halide.split %sums "ci" to "cio", "cii" by 64 {stage = 1 : i64} : !halide.func<f32, 5>
// CHECK: halide.reorder %sums ["c", "t", "cio", "cii"] {stage = 1 : i64} : !halide.func<f32, 5>
// CHECK: halide.unroll %sums "cio" {stage = 1 : i64} : !halide.func<f32, 5>
// NEON:  halide.split %sums "ci" to "cio", "cii" by 128 {stage = 1 : i64} : !halide.func<f32, 5>
func.func @f(%x: tensor<1x2x34x256xf32>, %w: tensor<8x4x4x256x32xf32>) -> tensor<1x2x34x256xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x2x34x256xf32>, tensor<8x4x4x256x32xf32>) -> tensor<1x2x34x256xf32> {
  ^bb0(%x_: tensor<1x2x34x256xf32>, %w_: tensor<8x4x4x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 2 : i64} : (tensor<1x2x34x256xf32>, tensor<8x4x4x256x32xf32>) -> tensor<1x2x34x256xf32>
    nn.yield %v : tensor<1x2x34x256xf32>
  }
  func.return %y : tensor<1x2x34x256xf32>
}

// -----

// Near miss: an odd number of steps.

// CHECK-NOT: halide.split %sums "ci"
// CHECK:     halide.reorder %sums ["c", "t", "ci"] {stage = 1 : i64} : !halide.func<f32, 5>
func.func @odd(%x: tensor<1x2x34x129xf32>, %w: tensor<1x4x4x129x32xf32>) -> tensor<1x2x34x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x2x34x129xf32>, tensor<1x4x4x129x32xf32>) -> tensor<1x2x34x32xf32> {
  ^bb0(%x_: tensor<1x2x34x129xf32>, %w_: tensor<1x4x4x129x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 2 : i64} : (tensor<1x2x34x129xf32>, tensor<1x4x4x129x32xf32>) -> tensor<1x2x34x32xf32>
    nn.yield %v : tensor<1x2x34x32xf32>
  }
  func.return %y : tensor<1x2x34x32xf32>
}
