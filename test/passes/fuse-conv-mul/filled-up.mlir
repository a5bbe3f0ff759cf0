// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-conv-mul | diff %t -

// A filter in tiles that are filled up with zeros is not scaled.

func.func @mul(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<6xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32>
  %r = nn.mul %y, %c : (tensor<1x2x3x6xf32>, tensor<6xf32>) -> tensor<1x2x3x6xf32>
  func.return %r : tensor<1x2x3x6xf32>
}
