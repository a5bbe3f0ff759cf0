// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-conv-add --fuse-conv-bias-add --fuse-conv-mul --fuse-conv-batch-norm --fuse-pad-conv --fuse-unsqueezed-bias-add | diff %t -

// A filter in packed_parts is filled up with zeros, and the convolution says how many outputs it has:
// rules that would rebuild it leave it alone.

func.func @add(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<6xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32>
  %r = nn.add %y, %c : (tensor<1x2x3x6xf32>, tensor<6xf32>) -> tensor<1x2x3x6xf32>
  func.return %r : tensor<1x2x3x6xf32>
}

func.func @bias_add(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<6xf32>>
  %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x4xf32>, tensor<6xf32>) -> tensor<1x2x3x6xf32>
  %r = nn.add %y, %b : (tensor<1x2x3x6xf32>, tensor<6xf32>) -> tensor<1x2x3x6xf32>
  func.return %r : tensor<1x2x3x6xf32>
}

func.func @mul(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<6xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32>
  %r = nn.mul %y, %c : (tensor<1x2x3x6xf32>, tensor<6xf32>) -> tensor<1x2x3x6xf32>
  func.return %r : tensor<1x2x3x6xf32>
}

func.func @pad(%x: tensor<1x1x2x4xf32>, %w: tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 0, 0, 0, 1, 1, 0>} : (tensor<1x1x2x4xf32>) -> tensor<1x2x3x4xf32>
  %r = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32>
  func.return %r : tensor<1x2x3x6xf32>
}

func.func @unsqueezed_bias(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<6xf32>>
  %u = nn.reshape %c : (tensor<6xf32>) -> tensor<1x1x6xf32>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x4xf32>) -> tensor<1x2x3x6xf32>
  %r = nn.add %y, %u : (tensor<1x2x3x6xf32>, tensor<1x1x6xf32>) -> tensor<1x2x3x6xf32>
  func.return %r : tensor<1x2x3x6xf32>
}
