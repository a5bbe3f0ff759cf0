// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// A convolution and a slope a channel are one kernel.

func.func @f(%x: tensor<1x2x4xf32>, %w: tensor<3x2x1xf32>, %s: tensor<3x1xf32>) -> tensor<1x3x4xf32> {
  %a = nn.conv %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<3x2x1xf32>) -> tensor<1x3x4xf32>
  %y = nn.prelu %a, %s : (tensor<1x3x4xf32>, tensor<3x1xf32>) -> tensor<1x3x4xf32>
  func.return %y : tensor<1x3x4xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x4xf32>, %w: tensor<3x2x1xf32>, %s: tensor<3x1xf32>) -> tensor<1x3x4xf32> {
// CHECK-NEXT:   %y = nn.kernel(%x, %w, %s) : (tensor<1x2x4xf32>, tensor<3x2x1xf32>, tensor<3x1xf32>) -> tensor<1x3x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>, %w_1: tensor<3x2x1xf32>, %s_1: tensor<3x1xf32>):
// CHECK-NEXT:     %a = nn.conv %x_1, %w_1 {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<3x2x1xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT:     %y_1 = nn.prelu %a, %s_1 : (tensor<1x3x4xf32>, tensor<3x1xf32>) -> tensor<1x3x4xf32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<1x3x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x3x4xf32>
// CHECK-NEXT: }
