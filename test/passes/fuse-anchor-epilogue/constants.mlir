// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// A constant of one number goes inside with the pointwise op, others stay operands.

func.func @constants(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<3x2x1x1xf32>>
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %y, %two : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
  %t = nn.sub %s, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %u = nn.add %two, %t : (tensor<f32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %u : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @constants(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %w = nn.constant #nn.dense<0.5 : tensor<3x2x1x1xf32>>
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1x1xf32>>
// CHECK-NEXT:   %u = nn.kernel(%x, %w, %c) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<3x2x1x1xf32>, %c_1: tensor<3x1x1xf32>):
// CHECK-NEXT:     %y = nn.conv %x_1, %w_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %two = nn.constant #nn.dense<2.0 : tensor<f32>>
// CHECK-NEXT:     %s = nn.mul %y, %two : (tensor<1x3x4x4xf32>, tensor<f32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %t = nn.sub %s, %c_1 : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %u_1 = nn.add %two, %t : (tensor<f32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     nn.yield %u_1 : tensor<1x3x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %u : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
