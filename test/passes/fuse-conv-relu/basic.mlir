// RUN: autodeploy-opt %s --fuse-conv-relu | filecheck %s

// With a bias and without.

func.func @plain(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.relu %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %r : tensor<1x3x4x4xf32>
}

func.func @bias(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %c: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.relu %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %r : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @plain(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %r = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, activation = #nn<activation relu>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %r : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @bias(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %c: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %r = nn.conv %x, %w, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, activation = #nn<activation relu>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %r : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
