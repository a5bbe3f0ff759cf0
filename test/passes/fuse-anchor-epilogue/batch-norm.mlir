// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// A batch normalisation that could not be folded is an epilogue like any other.

func.func @norm(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %p: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %p, %p, %p, %p {epsilon = 1.0e-05 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @norm(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>, %p: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %n = nn.kernel(%x, %w, %p) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<3x2x1x1xf32>, %p_1: tensor<3xf32>):
// CHECK-NEXT:     %y = nn.conv %x_1, %w_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     %n_1 = nn.batch_norm %y, %p_1, %p_1, %p_1, %p_1 {epsilon = 1.000000e-05 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:     nn.yield %n_1 : tensor<1x3x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %n : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
