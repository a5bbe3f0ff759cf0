// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// Pointwise ops join the convolution one after the other, in any place among the operands.

func.func @chain(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %c: tensor<3x1x1xf32>, %m: tensor<1x1x1x4xi1>, %z: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %c, %y : (tensor<3x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %t = nn.tanh %s : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %u = nn.where %m, %z, %t : (tensor<1x1x1x4xi1>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %u : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @chain(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %c: tensor<3x1x1xf32>, %m: tensor<1x1x1x4xi1>, %z: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %u = nn.kernel(%x, %w, %c, %m, %z) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3x1x1xf32>, tensor<1x1x1x4xi1>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<3x2x1x1xf32>, %c_1: tensor<3x1x1xf32>, %m_1: tensor<1x1x1x4xi1>, %z_1: tensor<1x3x4x4xf32>):
// CHECK-NEXT:     %y = nn.conv %x_1, %w_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %s = nn.mul %c_1, %y : (tensor<3x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %t = nn.tanh %s : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %u_1 = nn.where %m_1, %z_1, %t : (tensor<1x1x1x4xi1>, tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     nn.yield %u_1 : tensor<1x3x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %u : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
