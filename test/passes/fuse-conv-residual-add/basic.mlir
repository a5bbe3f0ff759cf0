// RUN: autodeploy-opt %s --fuse-conv-residual-add | filecheck %s

// The tensor may stand on either side; the kernel stands where the addition stood.

func.func @right(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %r: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %y, %r : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @left_with_bias(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %b: tensor<3xf32>, %r: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %z = nn.relu %r : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %z, %y : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @right(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %r: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %s = nn.kernel(%x, %w, %r) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<3x2x1x1xf32>, %r_1: tensor<1x3x4x4xf32>):
// CHECK-NEXT:     %y = nn.conv %x_1, %w_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %s_1 = nn.add %y, %r_1 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     nn.yield %s_1 : tensor<1x3x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left_with_bias(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %b: tensor<3xf32>, %r: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %z = nn.relu %r : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   %s = nn.kernel(%x, %w, %b, %z) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<3x2x1x1xf32>, %b_1: tensor<3xf32>, %z_1: tensor<1x3x4x4xf32>):
// CHECK-NEXT:     %y = nn.conv %x_1, %w_1, %b_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %s_1 = nn.add %z_1, %y : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     nn.yield %s_1 : tensor<1x3x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
