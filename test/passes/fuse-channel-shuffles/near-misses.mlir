// RUN: autodeploy-opt %s --fuse-conv-residual-add --form-kernels --fuse-channel-shuffles --split-input-file | filecheck %s

// These read vectors of channels; the shuffled image is made for them.

// A convolution over all channels, whose filter is not constant.

func.func @dense(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x24x16xf32>) -> tensor<1x5x7x16xf32> {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x24x16xf32>) -> tensor<1x5x7x16xf32>
  func.return %y : tensor<1x5x7x16xf32>
}

// CHECK-LABEL: func.func @dense
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)

// -----

// A depthwise one.

func.func @depthwise(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x1x24xf32>) -> tensor<1x5x7x24xf32> {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 24 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x1x24xf32>) -> tensor<1x5x7x24xf32>
  func.return %y : tensor<1x5x7x24xf32>
}

// CHECK-LABEL: func.func @depthwise
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)

// -----

// A grouped one that makes a padded image first.

func.func @padded(%x: tensor<1x5x7x24xf32>, %w: tensor<3x3x6x16xf32>) -> tensor<1x5x7x16xf32> {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<3x3x6x16xf32>) -> tensor<1x5x7x16xf32>
  func.return %y : tensor<1x5x7x16xf32>
}

// CHECK-LABEL: func.func @padded
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)

// -----

// A reader that is no convolution, beside one that is grouped.

func.func @another(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x6x16xf32>) -> (tensor<1x5x7x16xf32>, tensor<1x5x7x24xf32>) {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x16xf32>) -> tensor<1x5x7x16xf32>
  %z = nn.relu %s : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x24xf32>
  func.return %y, %z : tensor<1x5x7x16xf32>, tensor<1x5x7x24xf32>
}

// CHECK-LABEL: func.func @another
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)

// -----

// The shuffled image is an output.

func.func @output(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x6x16xf32>) -> (tensor<1x5x7x16xf32>, tensor<1x5x7x24xf32>) {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x16xf32>) -> tensor<1x5x7x16xf32>
  func.return %y, %s : tensor<1x5x7x16xf32>, tensor<1x5x7x24xf32>
}

// CHECK-LABEL: func.func @output
// CHECK:         %s = nn.reshape
// CHECK:         nn.kernel(%s, %w)
