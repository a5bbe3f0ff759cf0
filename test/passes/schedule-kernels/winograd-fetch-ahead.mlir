// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:l2=2M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// 49 tiles are seven groups of seven. While they are computed, the 512 lines of the next point's panel are fetched,
// and some of the one behind: 7 * 256 / 2. A line in every four steps would leave an eighth of the panel.
// Channels are worked on a panel at a time.

// NEON-NOT: halide.prefetch_line

// CHECK-LABEL: halide.pipeline
// CHECK: halide.split %out "c" to "cb", "cc" by 32 : !halide.func<f32, 4>
// CHECK: halide.split %products "t" to "to", "tt" by 7 : !halide.func<f32, 5>
// CHECK: halide.split %sums "ci" to "cio", "cii" by 2 {stage = 1 : i64} : !halide.func<f32, 5>
// CHECK: halide.prefetch_line %sums "cio" of %{{.*}} at affine_map<(d0, d1, d2, d3, d4, d5) -> ((((d1 floordiv 7) * 2048) + ((d5 floordiv 2) * 16)), 0, (d2 + 1), d3, (d0 floordiv 32))> {stage = 1 : i64} : !halide.func<f32, 5> of !halide.buffer<f32, [32, 256, 4, 4, 8]>
// CHECK: halide.reorder %sums ["c", "t", "cii", "cio"] {stage = 1 : i64} : !halide.func<f32, 5>
// CHECK: halide.unroll %sums "cii" {stage = 1 : i64} : !halide.func<f32, 5>
func.func @f(%x: tensor<1x14x14x256xf32>, %w: tensor<8x4x4x256x32xf32>) -> tensor<1x14x14x256xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x14x14x256xf32>, tensor<8x4x4x256x32xf32>) -> tensor<1x14x14x256xf32> {
  ^bb0(%x_: tensor<1x14x14x256xf32>, %w_: tensor<8x4x4x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 2 : i64} : (tensor<1x14x14x256xf32>, tensor<8x4x4x256x32xf32>) -> tensor<1x14x14x256xf32>
    nn.yield %v : tensor<1x14x14x256xf32>
  }
  func.return %y : tensor<1x14x14x256xf32>
}

// -----

// Two groups of eight: a line in every step.

// CHECK-LABEL: halide.pipeline
// CHECK: halide.split %products "t" to "to", "tt" by 8 : !halide.func<f32, 5>
// CHECK: halide.split %sums "ci" to "cio", "cii" by 1 {stage = 1 : i64} : !halide.func<f32, 5>
// CHECK: halide.prefetch_line %sums "cio" of %{{.*}} at affine_map<(d0, d1, d2, d3, d4, d5) -> ((((d1 floordiv 8) * 8192) + ((d5 floordiv 1) * 16)), 0, (d2 + 1), d3, (d0 floordiv 32))>
func.func @two(%x: tensor<1x7x7x512xf32>, %w: tensor<16x4x4x512x32xf32>) -> tensor<1x7x7x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x7x7x512xf32>, tensor<16x4x4x512x32xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%x_: tensor<1x7x7x512xf32>, %w_: tensor<16x4x4x512x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 2 : i64} : (tensor<1x7x7x512xf32>, tensor<16x4x4x512x32xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  func.return %y : tensor<1x7x7x512xf32>
}

// -----

// Near miss: a single group of four tiles, which would fetch half of the next panel.

// CHECK-LABEL: halide.pipeline
// CHECK-NOT: halide.prefetch_line
func.func @one(%x: tensor<1x8x8x512xf32>, %w: tensor<2x6x6x512x32xf32>) -> tensor<1x8x8x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x8x8x512xf32>, tensor<2x6x6x512x32xf32>) -> tensor<1x8x8x64xf32> {
  ^bb0(%x_: tensor<1x8x8x512xf32>, %w_: tensor<2x6x6x512x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x8x8x512xf32>, tensor<2x6x6x512x32xf32>) -> tensor<1x8x8x64xf32>
    nn.yield %v : tensor<1x8x8x64xf32>
  }
  func.return %y : tensor<1x8x8x64xf32>
}

// -----

// Near miss: an odd number of steps. A line in each would be 3.5 panels.

// CHECK-LABEL: halide.pipeline
// CHECK-NOT: halide.prefetch_line
func.func @odd(%x: tensor<1x14x14x129xf32>, %w: tensor<1x4x4x129x32xf32>) -> tensor<1x14x14x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x14x14x129xf32>, tensor<1x4x4x129x32xf32>) -> tensor<1x14x14x32xf32> {
  ^bb0(%x_: tensor<1x14x14x129xf32>, %w_: tensor<1x4x4x129x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 2 : i64} : (tensor<1x14x14x129xf32>, tensor<1x4x4x129x32xf32>) -> tensor<1x14x14x32xf32>
    nn.yield %v : tensor<1x14x14x32xf32>
  }
  func.return %y : tensor<1x14x14x32xf32>
}

// -----

// Near miss: no groups but single tiles divide the 17 of this image.

// CHECK-LABEL: halide.pipeline
// CHECK-NOT: halide.prefetch_line
func.func @prime(%x: tensor<1x2x34x256xf32>, %w: tensor<2x4x4x256x32xf32>) -> tensor<1x2x34x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x2x34x256xf32>, tensor<2x4x4x256x32xf32>) -> tensor<1x2x34x64xf32> {
  ^bb0(%x_: tensor<1x2x34x256xf32>, %w_: tensor<2x4x4x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 2 : i64} : (tensor<1x2x34x256xf32>, tensor<2x4x4x256x32xf32>) -> tensor<1x2x34x64xf32>
    nn.yield %v : tensor<1x2x34x64xf32>
  }
  func.return %y : tensor<1x2x34x64xf32>
}

// -----

// Near miss: 56 bands, the last of which would fetch 56 panels ahead.

// CHECK-LABEL: halide.pipeline
// CHECK-NOT: halide.prefetch_line
func.func @bands(%x: tensor<1x224x224x64xf32>, %w: tensor<2x6x6x64x32xf32>) -> tensor<1x224x224x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x224x224x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x224x224x64xf32> {
  ^bb0(%x_: tensor<1x224x224x64xf32>, %w_: tensor<2x6x6x64x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x224x224x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x224x224x64xf32>
    nn.yield %v : tensor<1x224x224x64xf32>
  }
  func.return %y : tensor<1x224x224x64xf32>
}
