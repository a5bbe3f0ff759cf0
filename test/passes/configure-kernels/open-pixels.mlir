// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// Tiles have no more pixels of a row than a run for the least number, of which there are 5: then the last tile moves
// inwards over one that is there. Of the rows of 5 to 16 pixels, 4 divide most.

builtin.module attributes {nn.open_extent = #nn.open_extent<"width", 5 to 16>} {
  func.func @main(%x: tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>) -> tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>> {
    %w = nn.constant #nn.dense<1.0 : tensor<3x3x512x512xf32>>
    %y = nn.kernel(%x, %w) : (tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>, tensor<3x3x512x512xf32>) -> tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>> {
    ^bb0(%i: tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>, %f: tensor<3x3x512x512xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>, tensor<3x3x512x512xf32>) -> tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>
      nn.yield %v : tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>
    }
    %z = nn.kernel(%y) : (tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>) -> tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>> {
    ^bb0(%i: tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>):
      %v = nn.max_pool %i {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>) -> tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>
      nn.yield %v : tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>
    }
    func.return %z : tensor<1x4x16x512xf32, #nn.extents<[1, 4, d0, 512], "width", 5 to 16>>
  }
}

// CHECK: nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [24, 4], pack = [8], order = [x, y, c], unroll = [4], rows = []>
// CHECK: nn.kernel(%y) {config = #nn.config<window, tile = [8, 5, 1]
