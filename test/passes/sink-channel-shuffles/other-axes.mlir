// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// Pools, and what moves or samples the places of each channel.

func.func @f(%x: tensor<2x6x8x8xf32>) -> tensor<2x1x6x5xf32> {
  %s_a = nn.reshape %x : (tensor<2x6x8x8xf32>) -> tensor<2x2x3x8x8xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x3x8x8xf32>) -> tensor<2x3x2x8x8xf32>
  %s = nn.reshape %s_t : (tensor<2x3x2x8x8xf32>) -> tensor<2x6x8x8xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %m = nn.max_pool %s {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x6x8x8xf32>) -> tensor<2x6x4x4xf32>
  %a = nn.average_pool %m {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x6x4x4xf32>) -> tensor<2x6x2x2xf32>
  %r = nn.resize %a {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 2, 2>} : (tensor<2x6x2x2xf32>) -> tensor<2x6x4x4xf32>
  %p = nn.pad %r {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>, value = 1.0 : f64} : (tensor<2x6x4x4xf32>) -> tensor<2x6x6x6xf32>
  %c = nn.slice %p {starts = array<i64: 0, 0, 0, 5>, sizes = array<i64: 2, 6, 6, 5>, steps = array<i64: 1, 1, 1, -1>} : (tensor<2x6x6x6xf32>) -> tensor<2x6x6x5xf32>
  %y = nn.conv %c, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x6x6x5xf32>, tensor<1x6x1x1xf32>) -> tensor<2x1x6x5xf32>
  func.return %y : tensor<2x1x6x5xf32>
}

// CHECK-LABEL: func.func @f
// CHECK-NOT:     nn.transpose
// CHECK:         %m = nn.max_pool %x
// CHECK:         %a = nn.average_pool %m
// CHECK:         %r = nn.resize %a
// CHECK:         %p = nn.pad %r
// CHECK:         %c = nn.slice %p
// CHECK:         %y = nn.conv %c

// -----

// What is left of each channel is one number, which a matrix product sums up.

func.func @classifier(%x: tensor<1x6x4x4xf32>) -> tensor<1x2xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %w = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0] : tensor<6x2xf32>>
  %m = nn.reduce %s {kind = #nn<reduction mean>, axes = array<i64: 2, 3>, keepdims = true} : (tensor<1x6x4x4xf32>) -> tensor<1x6x1x1xf32>
  %r = nn.reshape %m : (tensor<1x6x1x1xf32>) -> tensor<1x6xf32>
  %y = nn.matmul %r, %w : (tensor<1x6xf32>, tensor<6x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @classifier
// CHECK-NEXT:    %m = nn.reduce %x
// CHECK-NEXT:    %r = nn.reshape %m
// CHECK-NEXT:    [[W:%.*]] = nn.constant #nn.dense<[0.0, 1.0, 4.0, 5.0, 8.0, 9.0, 2.0, 3.0, 6.0, 7.0, 10.0, 11.0] : tensor<6x2xf32>>
// CHECK-NEXT:    %y = nn.matmul %r, [[W]]

// -----

// An image that is flattened has runs of its channels in the rows of the matrix, here of two.

func.func @flattened(%x: tensor<1x6x1x2xf32>) -> tensor<1x1xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x1x2xf32>) -> tensor<1x2x3x1x2xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x1x2xf32>) -> tensor<1x3x2x1x2xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x1x2xf32>) -> tensor<1x6x1x2xf32>
  %w = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0] : tensor<1x12xf32>>
  %r = nn.reshape %s : (tensor<1x6x1x2xf32>) -> tensor<1x12xf32>
  %y = nn.matmul %r, %w {transpose_rhs = true} : (tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<1x1xf32>
  func.return %y : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @flattened
// CHECK-NEXT:    %r = nn.reshape %x
// CHECK-NEXT:    [[W:%.*]] = nn.constant #nn.dense<[0.0, 1.0, 4.0, 5.0, 8.0, 9.0, 2.0, 3.0, 6.0, 7.0, 10.0, 11.0] : tensor<1x12xf32>>
// CHECK-NEXT:    %y = nn.matmul %r, [[W]]
