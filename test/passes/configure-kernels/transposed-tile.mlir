// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=1 --configure-kernels | filecheck %s

// Two pixels of a stride of 2 read the same inputs with other weights: a tile of 16x6 would have 12 sums,
// 4 vectors of weights and an input for 16 registers.

func.func @stride_2(%x: tensor<1x64x64x64xf32>, %w: tensor<2x2x64x32xf32>) -> tensor<1x128x128x32xf32> {
  // CHECK: direct_conv, tile = [8, 12]
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x64x64x64xf32>, tensor<2x2x64x32xf32>) -> tensor<1x128x128x32xf32> {
  ^bb0(%i: tensor<1x64x64x64xf32>, %f: tensor<2x2x64x32xf32>):
    %v = nn.conv_transpose %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x64x64x64xf32>, tensor<2x2x64x32xf32>) -> tensor<1x128x128x32xf32>
    nn.yield %v : tensor<1x128x128x32xf32>
  }
  func.return %y : tensor<1x128x128x32xf32>
}

// Along a row the stride is 1: all pixels of a tile read the same weights.

func.func @stride_1(%x: tensor<1x64x128x64xf32>, %w: tensor<2x1x64x32xf32>) -> tensor<1x128x128x32xf32> {
  // CHECK: direct_conv, tile = [16, 6]
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x64x128x64xf32>, tensor<2x1x64x32xf32>) -> tensor<1x128x128x32xf32> {
  ^bb0(%i: tensor<1x64x128x64xf32>, %f: tensor<2x1x64x32xf32>):
    %v = nn.conv_transpose %i, %f {strides = array<i64: 2, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x64x128x64xf32>, tensor<2x1x64x32xf32>) -> tensor<1x128x128x32xf32>
    nn.yield %v : tensor<1x128x128x32xf32>
  }
  func.return %y : tensor<1x128x128x32xf32>
}

// With a dilation all taps are tried for each pixel: pixels share weights.

func.func @dilated(%x: tensor<1x64x64x64xf32>, %w: tensor<1x2x64x32xf32>) -> tensor<1x64x129x32xf32> {
  // CHECK: direct_conv, tile = [16, 6]
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x64x64x64xf32>, tensor<1x2x64x32xf32>) -> tensor<1x64x129x32xf32> {
  ^bb0(%i: tensor<1x64x64x64xf32>, %f: tensor<1x2x64x32xf32>):
    %v = nn.conv_transpose %i, %f {strides = array<i64: 1, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 2>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x64x64x64xf32>, tensor<1x2x64x32xf32>) -> tensor<1x64x129x32xf32>
    nn.yield %v : tensor<1x64x129x32xf32>
  }
  func.return %y : tensor<1x64x129x32xf32>
}

// A tile that is given stays.

func.func @given(%x: tensor<1x64x64x64xf32>, %w: tensor<2x2x64x32xf32>) -> tensor<1x128x128x32xf32> {
  // CHECK: direct_conv, tile = [16, 6]
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [16, 6]>} : (tensor<1x64x64x64xf32>, tensor<2x2x64x32xf32>) -> tensor<1x128x128x32xf32> {
  ^bb0(%i: tensor<1x64x64x64xf32>, %f: tensor<2x2x64x32xf32>):
    %v = nn.conv_transpose %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x64x64x64xf32>, tensor<2x2x64x32xf32>) -> tensor<1x128x128x32xf32>
    nn.yield %v : tensor<1x128x128x32xf32>
  }
  func.return %y : tensor<1x128x128x32xf32>
}
