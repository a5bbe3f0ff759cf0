// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels 2>&1 | filecheck %s

// How many rows of the image a band reads depends on where it begins, between two of its rows or on one.

// CHECK: error: 'nn.kernel' op a transposed image is whole where only a run knows how many pixels there are

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 7 to 32>} {
  func.func @main(%x: tensor<1x32x32x64xf32, #nn.extents<[1, d0, d0, 64], "size", 7 to 32>>) -> tensor<1x64x64x32xf32, #nn.extents<[1, 2 * d0, 2 * d0, 32], "size", 7 to 32>> {
    %w = nn.constant #nn.dense<0.5 : tensor<4x4x64x32xf32>>
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, rows = [4]>} : (tensor<1x32x32x64xf32, #nn.extents<[1, d0, d0, 64], "size", 7 to 32>>, tensor<4x4x64x32xf32>) -> tensor<1x64x64x32xf32, #nn.extents<[1, 2 * d0, 2 * d0, 32], "size", 7 to 32>> {
    ^bb0(%i: tensor<1x32x32x64xf32, #nn.extents<[1, d0, d0, 64], "size", 7 to 32>>, %f: tensor<4x4x64x32xf32>):
      %v = nn.conv_transpose %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x32x32x64xf32, #nn.extents<[1, d0, d0, 64], "size", 7 to 32>>, tensor<4x4x64x32xf32>) -> tensor<1x64x64x32xf32, #nn.extents<[1, 2 * d0, 2 * d0, 32], "size", 7 to 32>>
      nn.yield %v : tensor<1x64x64x32xf32, #nn.extents<[1, 2 * d0, 2 * d0, 32], "size", 7 to 32>>
    }
    func.return %y : tensor<1x64x64x32xf32, #nn.extents<[1, 2 * d0, 2 * d0, 32], "size", 7 to 32>>
  }
}
