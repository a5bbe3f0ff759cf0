// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// What is no constant cannot be permuted at compile time.

// The filter of a convolution over all channels.

func.func @dense_filter(%x: tensor<1x6x4x4xf32>, %w: tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @dense_filter
// CHECK:         nn.conv %s, %w

// -----

// That of a depthwise one.

func.func @depthwise_filter(%x: tensor<1x6x4x4xf32>, %w: tensor<6x1x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %d = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 6 : i64} : (tensor<1x6x4x4xf32>, tensor<6x1x1x1xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %d, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @depthwise_filter
// CHECK:         nn.conv %s, %w

// -----

// Its bias.

func.func @bias(%x: tensor<1x6x4x4xf32>, %b: tensor<6xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %w = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<6x1x1x1xf32>>
  %d = nn.conv %s, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 6 : i64} : (tensor<1x6x4x4xf32>, tensor<6x1x1x1xf32>, tensor<6xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %d, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @bias
// CHECK:         nn.conv %s, %w, %b

// -----

// A scale a channel.

func.func @scale(%x: tensor<1x6x4x4xf32>, %c: tensor<6x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %m = nn.mul %s, %c : (tensor<1x6x4x4xf32>, tensor<6x1x1xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @scale
// CHECK:         nn.mul %s, %c

// -----

// A matrix.

func.func @matrix(%x: tensor<1x6x4x4xf32>, %w: tensor<6x2xf32>) -> tensor<1x2xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %m = nn.reduce %s {kind = #nn<reduction mean>, axes = array<i64: 2, 3>} : (tensor<1x6x4x4xf32>) -> tensor<1x6xf32>
  %y = nn.matmul %m, %w : (tensor<1x6xf32>, tensor<6x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @matrix
// CHECK:         nn.reduce %s
