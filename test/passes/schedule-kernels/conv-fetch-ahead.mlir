// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=CORES
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:l2=64M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEAR

// A filter that does not stay in the second-level cache is fetched while the tile of channels before is computed for all
// pixels: one line in four steps of the reduction, seven of eight lines in all. The tile divides the channels and the
// row, though one of 48 channels would take fewer instructions. Nothing is fetched on machines whose prefetch passes by
// that cache.

// CHECK:      halide.compute_at %conv at %out "xo"
// CHECK:      halide.split %conv "ci" to "cb", "cs" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.prefetch_line %conv "cb" of %in1
// CHECK-NEXT: halide.reorder %conv ["c", "x", "cs", "cb", "kx", "ky"] {stage = 1 : i64} : !halide.func<f32, 4>

// CORES:      halide.prefetch_line %conv "cb" of %in1
// CORES:      halide.parallel %out "co" : !halide.func<f32, 4>

// NONE-NOT:   halide.prefetch_line
func.func @few_pixels(%x: tensor<1x15x15x256xf32>, %w: tensor<16x3x3x256x32xf32>) -> tensor<1x7x7x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x15x15x256xf32>, tensor<16x3x3x256x32xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%x_: tensor<1x15x15x256xf32>, %w_: tensor<16x3x3x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x15x15x256xf32>, tensor<16x3x3x256x32xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  func.return %y : tensor<1x7x7x512xf32>
}

// -----

// Tiles of this one are small, and each is used as a whole while the lines of the next are fetched.

// CHECK:      halide.split %out "x" to "xo", "xt" by 7 : !halide.func<f32, 4>
// CHECK:      halide.compute_at %conv at %out "xo"
// CHECK:      halide.split %conv "ci" to "cb", "cs" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.prefetch_line %conv "cb" of %in1 at affine_map<(d0, d1, d2, d3, d4) -> ((((((d4 floordiv 4) * 4096) + ((((d1 floordiv 7) * 524288) + (d2 * 524288)) + (d3 * 3670016))) + ((((d4 floordiv 4) + ((((d1 floordiv 7) * 128) + (d2 * 128)) + (d3 * 896))) floordiv 4) * -16384)) + ((((d4 floordiv 4) + ((((d1 floordiv 7) * 128) + (d2 * 128)) + (d3 * 896))) floordiv 4) * 16)), 0, 0, 0, ((d0 floordiv 32) + 1))> {stage = 1 : i64} : !halide.func<f32, 4> of !halide.buffer<f32, [32, 512, 1, 1, 64]>
// CHECK-NEXT: halide.reorder %conv ["c", "x", "cs", "cb"] {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK:      halide.unroll %conv "cs" {stage = 1 : i64} : !halide.func<f32, 4>
// NONE-NOT:   halide.prefetch_line
func.func @few_points(%x: tensor<1x14x14x512xf32>, %w: tensor<64x1x1x512x32xf32>) -> tensor<1x7x7x2048xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x14x14x512xf32>, tensor<64x1x1x512x32xf32>) -> tensor<1x7x7x2048xf32> {
  ^bb0(%x_: tensor<1x14x14x512xf32>, %w_: tensor<64x1x1x512x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x14x14x512xf32>, tensor<64x1x1x512x32xf32>) -> tensor<1x7x7x2048xf32>
    nn.yield %v : tensor<1x7x7x2048xf32>
  }
  func.return %y : tensor<1x7x7x2048xf32>
}

// -----

// Two tiles of pixels make a row. With more of them than fetches take, each line is fetched several times over. Where
// the filter stays in the cache, rows are outside of all channels.

// NEAR:       !halide.buffer<f32, [32, 256, 1, 1, 64]>
// NEAR-NOT:   halide.prefetch_line
// NEAR:       halide.reorder %out ["ct", "xt", "xo", "co", "y", "n"] : !halide.func<f32, 4>
// NEAR-NOT:   halide.prefetch_line
// NEAR:       halide.unroll %conv "ci" by 4

// CHECK:      halide.split %out "x" to "xo", "xt" by 13 : !halide.func<f32, 4>
// CHECK:      halide.split %conv "ci" to "cb", "cs" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.prefetch_line %conv "cb" of %in1 at affine_map<(d0, d1, d2, d3, d4) -> ((((d4 floordiv 4) * 16) + (((((d1 floordiv 13) + (d2 * 2)) + (d3 * 56)) floordiv 7) * 1024)), 0, 0, 0, ((d0 floordiv 32) + 1))>
// NONE-NOT:   halide.prefetch_line
func.func @point(%x: tensor<1x55x51x256xf32>, %w: tensor<64x1x1x256x32xf32>) -> tensor<1x28x26x2048xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x55x51x256xf32>, tensor<64x1x1x256x32xf32>) -> tensor<1x28x26x2048xf32> {
  ^bb0(%x_: tensor<1x55x51x256xf32>, %w_: tensor<64x1x1x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x55x51x256xf32>, tensor<64x1x1x256x32xf32>) -> tensor<1x28x26x2048xf32>
    nn.yield %v : tensor<1x28x26x2048xf32>
  }
  func.return %y : tensor<1x28x26x2048xf32>
}

// -----

// Two tiles of pixels in all would have to fetch a line in each step.

// CHECK:      halide.pipeline @conv_0
// CHECK-NOT:  halide.prefetch_line
func.func @too_few(%x: tensor<1x2x14x512xf32>, %w: tensor<64x1x1x512x32xf32>) -> tensor<1x1x7x2048xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x2x14x512xf32>, tensor<64x1x1x512x32xf32>) -> tensor<1x1x7x2048xf32> {
  ^bb0(%x_: tensor<1x2x14x512xf32>, %w_: tensor<64x1x1x512x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x2x14x512xf32>, tensor<64x1x1x512x32xf32>) -> tensor<1x1x7x2048xf32>
    nn.yield %v : tensor<1x1x7x2048xf32>
  }
  func.return %y : tensor<1x1x7x2048xf32>
}

// -----

// A filter that is not packed by tiles lies in many pieces.

// CHECK:      halide.pipeline @conv_0
// CHECK-NOT:  halide.prefetch_line
func.func @unpacked(%x: tensor<1x15x15x256xf32>, %w: tensor<3x3x256x512xf32>) -> tensor<1x7x7x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x15x15x256xf32>, tensor<3x3x256x512xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%x_: tensor<1x15x15x256xf32>, %w_: tensor<3x3x256x512xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x15x15x256xf32>, tensor<3x3x256x512xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  func.return %y : tensor<1x7x7x512xf32>
}

// -----

// Only tiles of one pixel divide these rows, which costs more than to wait for the filter. It is packed by other tiles
// than those of six pixels, of which the last one in a row has the five that are left.

// CHECK:      halide.split %out "x" to "xo", "xt" by 6 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.bound_storage %conv "x" extent 6
// CHECK-NOT:  halide.prefetch_line
func.func @prime_width(%x: tensor<1x25x25x256xf32>, %w: tensor<16x3x3x256x32xf32>) -> tensor<1x23x23x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x25x25x256xf32>, tensor<16x3x3x256x32xf32>) -> tensor<1x23x23x512xf32> {
  ^bb0(%x_: tensor<1x25x25x256xf32>, %w_: tensor<16x3x3x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x25x25x256xf32>, tensor<16x3x3x256x32xf32>) -> tensor<1x23x23x512xf32>
    nn.yield %v : tensor<1x23x23x512xf32>
  }
  func.return %y : tensor<1x23x23x512xf32>
}
