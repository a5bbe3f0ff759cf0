// RUN: autodeploy-opt %s --sink-channel-shuffles --fold-nn-constants --split-input-file | filecheck %s

// Both readers can do without the shuffle.

func.func @both(%x: tensor<1x6x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %s, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  %z = nn.conv %r, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y, %z : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @both
// CHECK-NOT:     nn.transpose
// CHECK:         %r = nn.relu %x
// CHECK:         nn.conv %x
// CHECK:         nn.conv %r

// -----

// Near miss: one of the readers hands it out; the other one would have to be computed with a copy.

func.func @one(%x: tensor<1x6x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x6x4x4xf32>) {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %s, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y, %r : tensor<1x1x4x4xf32>, tensor<1x6x4x4xf32>
}

// CHECK-LABEL: func.func @one
// CHECK:         %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
// CHECK:         %r = nn.relu %s
// CHECK:         nn.conv %s, %v

// -----

// Two values shuffled in the same way are added: the sum is, too.

func.func @sum(%x: tensor<1x6x4x4xf32>, %z: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %u_a = nn.reshape %z : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %u_t = nn.transpose %u_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %u = nn.reshape %u_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %a = nn.add %s, %u : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %a, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @sum
// CHECK-NOT:     nn.transpose
// CHECK:         %a = nn.add %x, %z
// CHECK:         nn.conv %a

// -----

// Near misses: shuffled in another way, or not at all. All that leads there stays as it is.

func.func @differently(%x: tensor<1x6x4x4xf32>, %z: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %r = nn.relu %s : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %u_a = nn.reshape %z : (tensor<1x6x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %u_t = nn.transpose %u_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x2x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %u = nn.reshape %u_t : (tensor<1x2x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %a = nn.add %r, %u : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %a, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @differently
// CHECK:         %r = nn.relu %s
// CHECK:         %a = nn.add %r, %u

// -----

func.func @one_of_two(%x: tensor<1x6x4x4xf32>, %z: tensor<1x6x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %s_a = nn.reshape %x : (tensor<1x6x4x4xf32>) -> tensor<1x2x3x4x4xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x3x4x4xf32>) -> tensor<1x3x2x4x4xf32>
  %s = nn.reshape %s_t : (tensor<1x3x2x4x4xf32>) -> tensor<1x6x4x4xf32>
  %v = nn.constant #nn.dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0] : tensor<1x6x1x1xf32>>
  %a = nn.add %s, %z : (tensor<1x6x4x4xf32>, tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %y = nn.conv %a, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x6x4x4xf32>, tensor<1x6x1x1xf32>) -> tensor<1x1x4x4xf32>
  func.return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: func.func @one_of_two
// CHECK:         %a = nn.add %s, %z
