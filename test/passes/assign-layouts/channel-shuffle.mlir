// RUN: autodeploy-opt --assign-layouts --simplify-nn --split-input-file %s | filecheck %s

// A shuffle of channels between convolutions is one of the innermost axis: no image is turned round.

func.func @main(%x: tensor<1x12x5x7xf32>, %w: tensor<12x12x1x1xf32>) -> tensor<1x12x5x7xf32> {
  %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x12x5x7xf32>, tensor<12x12x1x1xf32>) -> tensor<1x12x5x7xf32>
  %r = nn.reshape %a : (tensor<1x12x5x7xf32>) -> tensor<1x3x4x5x7xf32>
  %t = nn.transpose %r {permutation = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x4x5x7xf32>) -> tensor<1x4x3x5x7xf32>
  %s = nn.reshape %t : (tensor<1x4x3x5x7xf32>) -> tensor<1x12x5x7xf32>
  %b = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x12x5x7xf32>, tensor<12x12x1x1xf32>) -> tensor<1x12x5x7xf32>
  func.return %b : tensor<1x12x5x7xf32>
}

// CHECK:      [[A:%.*]] = nn.conv
// CHECK-NEXT: [[R:%.*]] = nn.reshape [[A]] : (tensor<1x5x7x12xf32>) -> tensor<1x5x7x3x4xf32>
// CHECK-NEXT: [[T:%.*]] = nn.transpose [[R]] {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x3x4xf32>) -> tensor<1x5x7x4x3xf32>
// CHECK-NEXT: [[S:%.*]] = nn.reshape [[T]] : (tensor<1x5x7x4x3xf32>) -> tensor<1x5x7x12xf32>
// CHECK-NEXT: nn.transpose %w
// CHECK-NEXT: nn.conv [[S]]

// -----

// Three factors in any order; what is between is an output, too, and turned back for that.

func.func @main(%x: tensor<1x12x5x7xf32>, %w: tensor<12x12x1x1xf32>) -> (tensor<1x12x5x7xf32>, tensor<1x2x2x3x5x7xf32>) {
  %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x12x5x7xf32>, tensor<12x12x1x1xf32>) -> tensor<1x12x5x7xf32>
  %r = nn.reshape %a : (tensor<1x12x5x7xf32>) -> tensor<1x2x2x3x5x7xf32>
  %t = nn.transpose %r {permutation = array<i64: 0, 3, 1, 2, 4, 5>} : (tensor<1x2x2x3x5x7xf32>) -> tensor<1x3x2x2x5x7xf32>
  %s = nn.reshape %t : (tensor<1x3x2x2x5x7xf32>) -> tensor<1x12x5x7xf32>
  %b = nn.relu %s : (tensor<1x12x5x7xf32>) -> tensor<1x12x5x7xf32>
  func.return %b, %r : tensor<1x12x5x7xf32>, tensor<1x2x2x3x5x7xf32>
}

// CHECK:      nn.transpose %{{.*}} {permutation = array<i64: 0, 1, 2, 5, 3, 4>} : (tensor<1x5x7x2x2x3xf32>) -> tensor<1x5x7x3x2x2xf32>
// CHECK:      nn.relu %{{.*}} : (tensor<1x5x7x12xf32>) -> tensor<1x5x7x12xf32>
