// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// Channels that are somewhere else then.

// Channels are sampled.

func.func @resize(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0] : tensor<1x12x1x1xf32>>
  %m = nn.resize %s {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 2, 1, 1>} : (tensor<1x6x4x4xf32>) -> tensor<1x12x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x12x4x4xf32>, tensor<1x12x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @resize
// CHECK:         nn.resize %s

// -----

// A sum over channels.

func.func @reduce(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[1.0] : tensor<1x1x1x1xf32>>
  %m = nn.reduce %s {kind = #nn<reduction sum>, axes = array<i64: 1>, keepdims = true} : (tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @reduce
// CHECK:         nn.reduce %s

// -----

// A sum over the batch, which is gone then: the channels are axis 0.

func.func @batch(%x: tensor<1x6x4x4xf32>) -> tensor<6x1xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4x1xf32>>
  %m = nn.reduce %s {kind = #nn<reduction sum>, axes = array<i64: 0, 2>} : (tensor<1x6x4x4xf32>) -> tensor<6x4xf32>
  %y = nn.matmul %m, %v : (tensor<6x4xf32>, tensor<4x1xf32>) -> tensor<6x1xf32>
  func.return %y : tensor<6x1xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK:         nn.reduce %s

// -----

// Channels are parted.

func.func @reshape(%x: tensor<1x6x4x4xf32>) -> tensor<3x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[1.0, 2.0] : tensor<1x2x1x1xf32>>
  %m = nn.reshape %s : (tensor<1x6x4x4xf32>) -> tensor<3x2x4x4xf32>
  %y = nn.conv %m, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<3x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<3x1x4x4xf32>
  func.return %y : tensor<3x1x4x4xf32>
}

// CHECK-LABEL: func.func @reshape
// CHECK:         nn.reshape %s :

// -----

// A product over columns: the channels are a stack of matrices.

func.func @columns(%x: tensor<1x6x4x4xf32>) -> tensor<1x6x4x1xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4x1xf32>>
  %y = nn.matmul %s, %v : (tensor<1x6x4x4xf32>, tensor<4x1xf32>) -> tensor<1x6x4x1xf32>
  func.return %y : tensor<1x6x4x1xf32>
}

// CHECK-LABEL: func.func @columns
// CHECK:         nn.matmul %s
