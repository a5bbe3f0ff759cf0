// RUN: autodeploy-opt %s --fuse-pad-conv | filecheck %s

// The pads of both add up; a bias stays.

func.func @even(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @uneven(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x7x4xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 0, 0, 0, 2, 0>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x7x4xf32>
  %y = nn.conv %q, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x4xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<1x3x7x4xf32>
  func.return %y : tensor<1x3x7x4xf32>
}

// CHECK:      func.func @even(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @uneven(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>, %b: tensor<3xf32>) -> tensor<1x3x7x4xf32> {
// CHECK-NEXT:   %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 2, 1, 3, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>, tensor<3xf32>) -> tensor<1x3x7x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x7x4xf32>
// CHECK-NEXT: }
