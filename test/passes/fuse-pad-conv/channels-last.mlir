// RUN: autodeploy-opt %s --fuse-pad-conv | filecheck %s

// Channels last the spatial axes lie in the middle.

func.func @last(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x4x4x3xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 1, 2, 0, 0, 1, 0, 0>} : (tensor<1x4x4x2xf32>) -> tensor<1x6x6x2xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x6x6x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x4x4x3xf32>
  func.return %y : tensor<1x4x4x3xf32>
}

// CHECK:      func.func @last(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x4x4x3xf32> {
// CHECK-NEXT:   %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 2, 1, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x4x2xf32>, tensor<3x2x3x3xf32>) -> tensor<1x4x4x3xf32>
// CHECK-NEXT:   func.return %y : tensor<1x4x4x3xf32>
// CHECK-NEXT: }
