// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels 2>&1 | filecheck %s

// Blocks of inputs keep the sums of all pixels, of which only a run knows how many there are.

// CHECK: error: 'nn.kernel' op the inputs of a tap are not in blocks where only a run knows how many pixels there are

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 7 to 16>} {
  func.func @main(%x: tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, %w: tensor<16x3x3x256x32xf32>) -> tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>> {
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [32, 7], fetch = [2], inputs = [64]>} : (tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, tensor<16x3x3x256x32xf32>) -> tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>> {
    ^bb0(%i: tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, %f: tensor<16x3x3x256x32xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, tensor<16x3x3x256x32xf32>) -> tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>>
      nn.yield %v : tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>>
    }
    func.return %y : tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>>
  }
}
