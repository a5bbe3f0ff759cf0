// RUN: autodeploy-opt %s --fuse-conv-relu | filecheck %s

// All attributes of the convolution stay, also one that its definition does not know.

func.func @tagged(%x: tensor<1x2x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, test.tag = "kept"} : (tensor<1x2x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  %r = nn.relu %y : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %r : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @tagged
// CHECK-NEXT:   %r = nn.conv %x, %w {test.tag = "kept", {{.*}}groups = 2 : i64, activation = #nn<activation relu>}
// CHECK-NEXT:   func.return %r
