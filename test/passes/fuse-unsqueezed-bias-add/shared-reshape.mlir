// RUN: autodeploy-opt %s --fuse-unsqueezed-bias-add | filecheck %s

// A reshape with another user stays for that one.

func.func @shared(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %u = nn.reshape %c : (tensor<3xf32>) -> tensor<3x1x1xf32>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %y, %u : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s, %u : tensor<1x3x4x4xf32>, tensor<3x1x1xf32>
}

// CHECK:      func.func @shared(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT:   %u = nn.reshape %c : (tensor<3xf32>) -> tensor<3x1x1xf32>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.conv %x, %w, %0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s, %u : tensor<1x3x4x4xf32>, tensor<3x1x1xf32>
// CHECK-NEXT: }
