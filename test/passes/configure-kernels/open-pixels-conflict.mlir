// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels 2>&1 | filecheck %s

// Cores cannot share the pixels of a row that only a run knows: the last tile moves inwards, over one of another core.

// CHECK: error: 'nn.kernel' op cores do not share the pixels of a row that only a run knows

builtin.module attributes {nn.open_extent = #nn.open_extent<"width", 5 to 16>} {
  func.func @main(%x: tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>) -> tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>> {
    %w = nn.constant #nn.dense<1.0 : tensor<3x3x32x32xf32>>
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [16, 5], pack = [16], order = [x, y, c], unroll = [4], parallel = [x]>} : (tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>, tensor<3x3x32x32xf32>) -> tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>> {
    ^bb0(%i: tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>, %f: tensor<3x3x32x32xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>, tensor<3x3x32x32xf32>) -> tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>
      nn.yield %v : tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>
    }
    func.return %y : tensor<1x4x16x32xf32, #nn.extents<[1, 4, d0, 32], "width", 5 to 16>>
  }
}
