// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// Two shuffles of which one undoes the other.

func.func @cancel(%x: tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %u_a = nn.reshape %r : (tensor<1x6x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %u_t = nn.transpose %u_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x2x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %u = nn.reshape %u_t : (tensor<1x2x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  func.return %u : tensor<1x6x4x4xf32>
}

// CHECK-LABEL: func.func @cancel
// CHECK-NEXT:    %r = nn.relu %x
// CHECK-NEXT:    func.return %r

// -----

// Two that are one, of three factors; its result is an output.

func.func @merge(%x: tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x12x4x4xf32>) -> tensor<1x3x4x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x4x4x4xf32>) -> tensor<1x4x3x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x4x3x4x4xf32>) -> tensor<1x12x4x4xf32>
  %r = nn.relu %s : (tensor<1x12x4x4xf32>) -> tensor<1x12x4x4xf32>
  %u_a = nn.reshape %r : (tensor<1x12x4x4xf32>) -> tensor<1x2x2x3x4x4xf32>
  %u_t = nn.transpose %u_a {permutation = array<i64: 0, 2, 1, 3, 4, 5>} : (tensor<1x2x2x3x4x4xf32>) -> tensor<1x2x2x3x4x4xf32>
  %u = nn.reshape %u_t : (tensor<1x2x2x3x4x4xf32>) -> tensor<1x12x4x4xf32>
  func.return %u : tensor<1x12x4x4xf32>
}

// CHECK-LABEL: func.func @merge
// CHECK-NEXT:    %r = nn.relu %x
// CHECK-NEXT:    [[A:%.*]] = nn.reshape %r : (tensor<1x12x4x4xf32>) -> tensor<1x3x2x2x4x4xf32>
// CHECK-NEXT:    [[T:%.*]] = nn.transpose [[A]] {permutation = array<i64: 0, 3, 2, 1, 4, 5>} : (tensor<1x3x2x2x4x4xf32>) -> tensor<1x2x2x3x4x4xf32>
// CHECK-NEXT:    [[S:%.*]] = nn.reshape [[T]]
// CHECK-NEXT:    func.return [[S]]

// -----

// Near miss: the two have no common factors.

func.func @apart(%x: tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %u_a = nn.reshape %r : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %u_t = nn.transpose %u_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %u = nn.reshape %u_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  func.return %u : tensor<1x6x4x4xf32>
}

// CHECK-LABEL: func.func @apart
// CHECK:         %s_t = nn.transpose
// CHECK:         %r = nn.relu %s
// CHECK:         %u_t = nn.transpose

// -----

// Near miss: the second one is read before it is complete.

func.func @between(%x: tensor<1x6x4x4xf32>) -> (tensor<1x6x4x4xf32>, tensor<1x2x3x4x4xf32>) {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %u_a = nn.reshape %r : (tensor<1x6x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %u_t = nn.transpose %u_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x2x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %u = nn.reshape %u_t : (tensor<1x2x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  func.return %u, %u_t : tensor<1x6x4x4xf32>, tensor<1x2x3x4x4xf32>
}

// CHECK-LABEL: func.func @between
// CHECK:         %r = nn.relu %s
// CHECK:         %u_t = nn.transpose
