// RUN: autodeploy-opt %s --fuse-conv-residual-add --form-kernels --fuse-channel-shuffles --split-input-file | filecheck %s

// The kernel adds the shuffled image to its result, and this by vectors.

func.func @residual(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x6x24xf32>) -> tensor<1x5x7x24xf32> {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %c = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x24xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.add %c, %s : (tensor<1x5x7x24xf32>, tensor<1x5x7x24xf32>) -> tensor<1x5x7x24xf32>
  func.return %y : tensor<1x5x7x24xf32>
}

// CHECK-LABEL: func.func @residual
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)

// -----

// Channels first: a row is a vector of the plane of one channel.

func.func @planes(%x: tensor<1x8x5x7xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x5x7xf32> {
  %a = nn.reshape %x : (tensor<1x8x5x7xf32>) -> tensor<1x2x4x5x7xf32>
  %t = nn.transpose %a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x4x5x7xf32>) -> tensor<1x4x2x5x7xf32>
  %s = nn.reshape %t : (tensor<1x4x2x5x7xf32>) -> tensor<1x8x5x7xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x8x5x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x5x7xf32>
  func.return %y : tensor<1x4x5x7xf32>
}

// CHECK-LABEL: func.func @planes
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)

// -----

// Rows are taken apart together with channels: that is no shuffle of channels.

func.func @rows(%x: tensor<1x4x4x4xf32>, %w: tensor<1x1x2x4xf32>) -> tensor<1x4x4x4xf32> {
  %a = nn.reshape %x : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2x4xf32>
  %t = nn.transpose %a {permutation = array<i64: 0, 1, 3, 2, 4>} : (tensor<1x4x2x2x4xf32>) -> tensor<1x4x2x2x4xf32>
  %s = nn.reshape %t : (tensor<1x4x2x2x4xf32>) -> tensor<1x4x4x4xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @rows
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)
