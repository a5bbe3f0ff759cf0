// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels=winograd=true 2>&1 | filecheck %s

// Which line of a filter is fetched follows from the number of tiles, which only a run knows.

// CHECK: error: only a run knows how many tiles there are, so no filter is fetched

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 5 to 14 by 4>} {
  func.func @main(%x: tensor<1x56x56x64xf32>, %w: tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32> {
    %y = nn.kernel(%x, %w) {open = [array<i64: 0, 4, 4, 0>, array<i64: 0, 0, 0, 0, 0>, array<i64: 0, 4, 4, 0>], config = #nn.config<winograd, transform = [4], fetch = [4]>} : (tensor<1x56x56x64xf32>, tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32> {
    ^bb0(%i: tensor<1x56x56x64xf32>, %f: tensor<4x6x6x64x16xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 4 : i64} : (tensor<1x56x56x64xf32>, tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32>
      nn.yield %v : tensor<1x56x56x64xf32>
    }
    func.return %y : tensor<1x56x56x64xf32>
  }
}
