// RUN: autodeploy-opt --assign-layouts --simplify-nn --split-input-file %s | filecheck %s

// Rows change places with channels.

func.func @rows(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %r = nn.reshape %a : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4x4xf32>
  %t = nn.transpose %r {permutation = array<i64: 0, 2, 1, 4, 3>} : (tensor<1x2x2x4x4xf32>) -> tensor<1x2x2x4x4xf32>
  %s = nn.reshape %t : (tensor<1x2x2x4x4xf32>) -> tensor<1x4x4x4xf32>
  %b = nn.relu %s : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %b : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @rows
// CHECK:         nn.transpose %{{.*}} {permutation = array<i64: 0, 2, 1, 4, 3>}

// -----

// Not the channels are taken apart.

func.func @height(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %r = nn.reshape %a : (tensor<1x4x4x4xf32>) -> tensor<1x4x2x2x4xf32>
  %t = nn.transpose %r {permutation = array<i64: 0, 1, 3, 2, 4>} : (tensor<1x4x2x2x4xf32>) -> tensor<1x4x2x2x4xf32>
  %s = nn.reshape %t : (tensor<1x4x2x2x4xf32>) -> tensor<1x4x4x4xf32>
  %b = nn.relu %s : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return %b : tensor<1x4x4x4xf32>
}

// CHECK-LABEL: func.func @height
// CHECK:         nn.transpose %{{.*}} {permutation = array<i64: 0, 1, 3, 2, 4>}

// -----

// The result has other extents.

func.func @shape(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x2x8x4xf32> {
  %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %r = nn.reshape %a : (tensor<1x4x4x4xf32>) -> tensor<1x2x2x4x4xf32>
  %t = nn.transpose %r {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x2x4x4xf32>) -> tensor<1x2x2x4x4xf32>
  %s = nn.reshape %t : (tensor<1x2x2x4x4xf32>) -> tensor<1x2x8x4xf32>
  func.return %s : tensor<1x2x8x4xf32>
}

// CHECK-LABEL: func.func @shape
// CHECK:         nn.transpose %{{.*}} {permutation = array<i64: 0, 2, 1, 3, 4>}
