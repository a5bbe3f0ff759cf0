// RUN: autodeploy-opt %s --fuse-conv-residual-add | filecheck %s

// Of two convolutions one takes the addition, the other one becomes its operand.

func.func @both(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %v: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %z = nn.conv %x, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %y, %z : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @both(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %v: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %z = nn.conv %x, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   %s = nn.kernel(%x, %w, %z) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<3x2x1x1xf32>, %z_1: tensor<1x3x4x4xf32>):
// CHECK-NEXT:     %y = nn.conv %x_1, %w_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %s_1 = nn.add %y, %z_1 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     nn.yield %s_1 : tensor<1x3x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
