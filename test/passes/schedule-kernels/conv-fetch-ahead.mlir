// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-sapphirerapids --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The filter of bytes exceeds the L2 cache, so that all pixels are summed with one tile of it, then with the next. Each iteration
// of the loop over inputs fetches a line of the next tile.

// A row is one tile of 7 pixels. Each step reads two lines of the filter.

// CHECK:      halide.pipeline @conv_0
// CHECK-SAME: config<direct_conv, tile = [32, 7], order = [x, y, c], unroll = [2], dot = [4], rows = [], fetch = [1]>
// CHECK:      halide.unroll %conv "ci" by 2 {stage = 1 : i64} : !halide.func<i32, 5>
// CHECK:      halide.prefetch_line %conv "ci" of %in1 at affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (0, ((((((d2 floordiv 7) * 9216) + (d3 * 9216)) + (d4 * 64512)) + (((((d5 floordiv 4) + (d6 * 128)) + (d7 * 384)) floordiv 2) * 16)) + (((((((d2 floordiv 7) * 9216) + (d3 * 9216)) + (d4 * 64512)) + (((((d5 floordiv 4) + (d6 * 128)) + (d7 * 384)) floordiv 2) * 16)) floordiv 32) * -32)), ((((((d2 floordiv 7) * 9216) + (d3 * 9216)) + (d4 * 64512)) + (((((d5 floordiv 4) + (d6 * 128)) + (d7 * 384)) floordiv 2) * 16)) floordiv 32), 0, 0, (d1 + 1))> {stage = 1 : i64} : !halide.func<i32, 5> of !halide.buffer<i8, [4, 32, 128, 3, 3, 16]>
func.func @codes(%x: tensor<1x7x7x512xui8>, %w: tensor<16x3x3x128x32x4xi8>) -> tensor<1x7x7x512xi32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x7x7x512xui8>, tensor<16x3x3x128x32x4xi8>) -> tensor<1x7x7x512xi32> {
  ^bb0(%i: tensor<1x7x7x512xui8>, %f: tensor<16x3x3x128x32x4xi8>):
    %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, accumulator = i32, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32, 1 by 4>} : (tensor<1x7x7x512xui8>, tensor<16x3x3x128x32x4xi8>) -> tensor<1x7x7x512xi32>
    nn.yield %v : tensor<1x7x7x512xi32>
  }
  func.return %y : tensor<1x7x7x512xi32>
}

// -----

// The filter of floats comes as fast as it is needed.

// CHECK:      halide.pipeline @conv_0
// CHECK-SAME: config<direct_conv, tile = [32, 7], order = [x, y, c], unroll = [4]>
// CHECK-NOT:  halide.prefetch_line
func.func @floats(%x: tensor<1x15x15x512xf32>, %w: tensor<16x3x3x512x32xf32>) -> tensor<1x7x7x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [32, 7]>} : (tensor<1x15x15x512xf32>, tensor<16x3x3x512x32xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%i: tensor<1x15x15x512xf32>, %f: tensor<16x3x3x512x32xf32>):
    %v = nn.conv %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x15x15x512xf32>, tensor<16x3x3x512x32xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  func.return %y : tensor<1x7x7x512xf32>
}

// -----

// Two rows of pixels are too few to fetch all lines meanwhile.

// CHECK:      halide.pipeline @conv_0
// CHECK-SAME: fetch = []>
// CHECK-NOT:  halide.prefetch_line
func.func @few(%x: tensor<1x2x2x512xui8>, %w: tensor<16x3x3x128x32x4xi8>) -> tensor<1x2x2x512xi32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [32, 2]>} : (tensor<1x2x2x512xui8>, tensor<16x3x3x128x32x4xi8>) -> tensor<1x2x2x512xi32> {
  ^bb0(%i: tensor<1x2x2x512xui8>, %f: tensor<16x3x3x128x32x4xi8>):
    %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, accumulator = i32, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32, 1 by 4>} : (tensor<1x2x2x512xui8>, tensor<16x3x3x128x32x4xi8>) -> tensor<1x2x2x512xi32>
    nn.yield %v : tensor<1x2x2x512xi32>
  }
  func.return %y : tensor<1x2x2x512xi32>
}
