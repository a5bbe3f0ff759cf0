// RUN: autodeploy-opt %s --fuse-conv-mul | filecheck %s

// Filter and bias are scaled; without a bias there is one of zeros afterwards.

func.func @right(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %y, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @left_with_bias(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %b = nn.constant #nn.dense<[10.0, 20.0, 30.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<2.0 : tensor<f32>>
  %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %c, %y : (tensor<f32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @right(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 4.0, 9.0, 12.0, 20.0, 24.0] : tensor<3x2x1x1xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0.0 : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left_with_bias(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 4.0, 6.0, 8.0, 10.0, 12.0] : tensor<3x2x1x1xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[20.0, 40.0, 60.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
