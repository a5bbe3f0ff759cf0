// RUN: autodeploy-opt %s --form-kernels | filecheck %s

// Every op becomes a kernel; constants and reshapes stay outside. A slice backwards is no view.

func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0] : tensor<1x2x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %q = nn.reshape %y : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
  %t = nn.slice %q {starts = array<i64: 0, 3>, sizes = array<i64: 4, 4>, steps = array<i64: 1, -1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %t : tensor<4x4xf32>
}

// CHECK:      func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:   %w = nn.constant #nn.dense<[1.0, 2.0] : tensor<1x2x1x1xf32>>
// CHECK-NEXT:   %y = nn.kernel(%x, %w) : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>, %w_1: tensor<1x2x1x1xf32>):
// CHECK-NEXT:     %y_1 = nn.conv %x_1, %w_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<1x1x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %q = nn.reshape %y : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:   %t = nn.kernel(%q) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:   ^bb0(%q_1: tensor<4x4xf32>):
// CHECK-NEXT:     %t_1 = nn.slice %q_1 {starts = array<i64: 0, 3>, sizes = array<i64: 4, 4>, steps = array<i64: 1, -1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:     nn.yield %t_1 : tensor<4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %t : tensor<4x4xf32>
// CHECK-NEXT: }
