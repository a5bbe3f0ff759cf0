// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// A resize, a transposed convolution and a layer normalisation are anchors as others are.

func.func @resize(%x: tensor<1x2x4xf32>, %z: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %b = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1>, offsets = array<i64: 0, 0, 0>, denominators = array<i64: 1, 1, 2>} : (tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
  %y = nn.add %b, %z : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  func.return %y : tensor<1x2x8xf32>
}

func.func @conv_transpose(%x: tensor<1x2x4xf32>, %w: tensor<3x2x2xf32>) -> tensor<1x3x5xf32> {
  %a = nn.conv_transpose %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x4xf32>, tensor<3x2x2xf32>) -> tensor<1x3x5xf32>
  %y = nn.relu %a : (tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
  func.return %y : tensor<1x3x5xf32>
}

func.func @layer_norm(%x: tensor<2x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
  %c = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.5 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %y = nn.gelu %c : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// CHECK:      func.func @resize(%x: tensor<1x2x4xf32>, %z: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
// CHECK-NEXT:   %y = nn.kernel(%x, %z) : (tensor<1x2x4xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>, %z_1: tensor<1x2x8xf32>):
// CHECK-NEXT:     %b = nn.resize %x_1 {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1>, offsets = array<i64: 0, 0, 0>, denominators = array<i64: 1, 1, 2>} : (tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
// CHECK-NEXT:     %y_1 = nn.add %b, %z_1 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<1x2x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x2x8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @conv_transpose(%x: tensor<1x2x4xf32>, %w: tensor<3x2x2xf32>) -> tensor<1x3x5xf32> {
// CHECK-NEXT:   %y = nn.kernel(%x, %w) : (tensor<1x2x4xf32>, tensor<3x2x2xf32>) -> tensor<1x3x5xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>, %w_1: tensor<3x2x2xf32>):
// CHECK-NEXT:     %a = nn.conv_transpose %x_1, %w_1 {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x4xf32>, tensor<3x2x2xf32>) -> tensor<1x3x5xf32>
// CHECK-NEXT:     %y_1 = nn.relu %a : (tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<1x3x5xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x3x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @layer_norm(%x: tensor<2x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT:   %y = nn.kernel(%x, %s) : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<2x4xf32>, %s_1: tensor<4xf32>):
// CHECK-NEXT:     %c = nn.layer_norm %x_1, %s_1 {axis = 1 : i64, epsilon = 5.000000e-01 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:     %y_1 = nn.gelu %c : (tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<2x4xf32>
// CHECK-NEXT: }
