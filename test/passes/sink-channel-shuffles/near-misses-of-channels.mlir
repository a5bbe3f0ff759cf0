// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// What knows channels apart. All of these are read by a convolution over all channels.

// A softmax over channels.

func.func @softmax(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %m = nn.softmax %s {axis = 1 : i64} : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK:         nn.softmax %s

// -----

// Some of the channels.

func.func @slice(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0] : tensor<1x3x1x1xf32>>
  %m = nn.slice %s {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 3, 4, 4>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x6x4x4xf32>) -> tensor<1x3x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK:         nn.slice %s

// -----

// The channels backwards.

func.func @backwards(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %m = nn.slice %s {starts = array<i64: 0, 5, 0, 0>, sizes = array<i64: 1, 6, 4, 4>, steps = array<i64: 1, -1, 1, 1>} : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @backwards
// CHECK:         nn.slice %s

// -----

// More channels.

func.func @pad(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<1x7x1x1xf32>>
  %m = nn.pad %s {pads = array<i64: 0, 0, 0, 0, 0, 1, 0, 0>} : (tensor<1x6x4x4xf32>) -> tensor<1x7x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x7x4x4xf32>, tensor<1x7x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK:         nn.pad %s

// -----

// A part of the channels.

func.func @concat(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0] : tensor<1x12x1x1xf32>>
  %m = nn.concat %s, %x {axis = 1 : i64} : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x12x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x12x4x4xf32>, tensor<1x12x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK:         nn.concat %s, %x
