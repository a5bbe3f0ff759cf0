// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels=winograd=true | filecheck %s

// Of images of 20 to 56 pixels most are worth large tiles. Each run has another number of them, of which a group wastes few.
// Few groups share a panel of the filter, so each fetches all lines of the next one.

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 5 to 14 by 4>} {
  func.func @main(%x: tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>> {
    %w = nn.constant #nn.dense<0.5 : tensor<3x3x64x64xf32>>
    %y = nn.kernel(%x, %w) : (tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>> {
    ^bb0(%i: tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, %f: tensor<3x3x64x64xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>
      nn.yield %v : tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>
    }
    func.return %y : tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>
  }
}

// CHECK: nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], tile = [32], rows = [2], channels = [32], group = [6], fetch = [1]>
