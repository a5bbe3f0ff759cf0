// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// A shuffle goes behind a depthwise convolution, whose filter and bias are permuted back, and into the
// weights of the convolution over all channels behind it: nothing is left of it.

func.func @f(%x: tensor<1x6x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %w = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<6x1x1x1xf32>>
  %b = nn.constant #nn.dense<[10.0, 11.0, 12.0, 13.0, 14.0, 15.0] : tensor<6xf32>>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %d = nn.conv %s, %w, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 6 : i64} : (tensor<1x6x4x4xf32>, tensor<6x1x1x1xf32>, tensor<6xf32>) -> tensor<1x6x2x2xf32>
  %y = nn.conv %d, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x2x2xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x2x2xf32>
  func.return %y : tensor<1x1x2x2xf32>
}

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    [[W:%.*]] = nn.constant #nn.dense<[0.0, 2.0, 4.0, 1.0, 3.0, 5.0] : tensor<6x1x1x1xf32>>
// CHECK-NEXT:    [[B:%.*]] = nn.constant #nn.dense<[10.0, 12.0, 14.0, 11.0, 13.0, 15.0] : tensor<6xf32>>
// CHECK-NEXT:    %d = nn.conv %x, [[W]], [[B]] {strides = array<i64: 2, 2>, {{.*}}groups = 6 : i64}
// CHECK-NEXT:    [[V:%.*]] = nn.constant #nn.dense<[0.0, 2.0, 4.0, 1.0, 3.0, 5.0] : tensor<1x6x1x1xf32>>
// CHECK-NEXT:    %y = nn.conv %d, [[V]]
// CHECK-NEXT:    func.return %y

// -----

// With two outputs a channel, pairs are shuffled behind it. What reads them is a grouped convolution.

func.func @multiplier(%x: tensor<1x6x4x4xf32>, %v: tensor<4x6x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %w = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0] : tensor<12x1x1x1xf32>>
  %d = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 6 : i64} : (tensor<1x6x4x4xf32>, tensor<12x1x1x1xf32>) -> tensor<1x12x4x4xf32>
  %y = nn.conv %d, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x12x4x4xf32>, tensor<4x6x1x1xf32>) -> tensor<1x4x4x4xf32>
  func.return %y : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @multiplier
// CHECK:         nn.constant #nn.dense<[0.0, 1.0, 4.0, 5.0, 8.0, 9.0, 2.0, 3.0, 6.0, 7.0, 10.0, 11.0] : tensor<12x1x1x1xf32>>
// CHECK:         %d = nn.conv %x
// CHECK-NEXT:    [[A:%.*]] = nn.reshape %d : (tensor<1x12x4x4xf32>) -> tensor<1x2x3x2x4x4xf32>
// CHECK-NEXT:    [[T:%.*]] = nn.transpose [[A]] {permutation = array<i64: 0, 2, 1, 3, 4, 5>}
// CHECK-NEXT:    [[S:%.*]] = nn.reshape [[T]]
// CHECK-NEXT:    nn.conv [[S]], %v
