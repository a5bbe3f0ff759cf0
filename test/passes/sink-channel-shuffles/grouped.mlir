// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// In front of a grouped convolution a shuffle stays, behind what stood between. Two readers share it.

func.func @f(%x: tensor<1x6x4x4xf32>, %v: tensor<4x3x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %w = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<6x1x1x1xf32>>
  %d = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 6 : i64} : (tensor<1x6x4x4xf32>, tensor<6x1x1x1xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %d, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x6x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32>
  %z = nn.conv %d, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x6x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32>
  func.return %y, %z : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @f
// CHECK:         %d = nn.conv %x
// CHECK-NEXT:    [[A:%.*]] = nn.reshape %d : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
// CHECK-NEXT:    [[T:%.*]] = nn.transpose [[A]] {permutation = array<i64: 0, 2, 1, 3, 4>}
// CHECK-NEXT:    [[S:%.*]] = nn.reshape [[T]]
// CHECK-NEXT:    %y = nn.conv [[S]], %v
// CHECK-NEXT:    %z = nn.conv [[S]], %v

// -----

// One that stands there already is left as it is.

func.func @there(%x: tensor<1x6x4x4xf32>, %v: tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %s, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x6x4x4xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @there
// CHECK-NEXT:    %s_a = nn.reshape %x
// CHECK-NEXT:    %s_t = nn.transpose %s_a
// CHECK-NEXT:    %s = nn.reshape %s_t
// CHECK-NEXT:    %y = nn.conv %s, %v

// -----

// Near miss: a convolution that pads its image makes the padded one by vectors of channels.

func.func @padded(%x: tensor<1x6x4x4xf32>, %v: tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %r, %v {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x6x4x4xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @padded
// CHECK:         %r = nn.relu %s
