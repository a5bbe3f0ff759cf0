// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Filters are turned, group by group, to the order of nn.conv's; pads follow from output_shape.

func.func @plain(%x: tensor<1x4x3xf32>, %w: tensor<4x2x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x6xf32> {
  %y = "onnx.ConvTranspose"(%x, %w, %b) <{strides = array<i64: 2>, pads = array<i64: 1, 0>}> : (tensor<1x4x3xf32>, tensor<4x2x3xf32>, tensor<2xf32>) -> tensor<1x2x6xf32>
  func.return %y : tensor<1x2x6xf32>
}

func.func @groups(%x: tensor<1x4x3xf32>, %w: tensor<4x3x2xf32>) -> tensor<1x6x5xf32> {
  %y = "onnx.ConvTranspose"(%x, %w) <{group = 2 : i64, output_shape = array<i64: 5>, strides = array<i64: 2>, auto_pad = "SAME_UPPER"}> : (tensor<1x4x3xf32>, tensor<4x3x2xf32>) -> tensor<1x6x5xf32>
  func.return %y : tensor<1x6x5xf32>
}

func.func @too_large(%x: tensor<1x4x3xf32>, %w: tensor<4x2x2xf32>) -> tensor<1x2x8xf32> {
  %y = "onnx.ConvTranspose"(%x, %w) <{output_shape = array<i64: 8>, strides = array<i64: 2>}> : (tensor<1x4x3xf32>, tensor<4x2x2xf32>) -> tensor<1x2x8xf32>
  func.return %y : tensor<1x2x8xf32>
}

// CHECK:      func.func @plain(%x: tensor<1x4x3xf32>, %w: tensor<4x2x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x6xf32> {
// CHECK-NEXT:   %0 = nn.reshape %w : (tensor<4x2x3xf32>) -> tensor<1x4x2x3xf32>
// CHECK-NEXT:   %1 = nn.transpose %0 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x3xf32>) -> tensor<1x2x4x3xf32>
// CHECK-NEXT:   %2 = nn.reshape %1 : (tensor<1x2x4x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT:   %y = nn.conv_transpose %x, %2, %b {strides = array<i64: 2>, pads = array<i64: 1, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x4x3xf32>, tensor<2x4x3xf32>, tensor<2xf32>) -> tensor<1x2x6xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x6xf32>
// CHECK-NEXT: }

// CHECK:      func.func @groups(%x: tensor<1x4x3xf32>, %w: tensor<4x3x2xf32>) -> tensor<1x6x5xf32> {
// CHECK-NEXT:   %0 = nn.reshape %w : (tensor<4x3x2xf32>) -> tensor<2x2x3x2xf32>
// CHECK-NEXT:   %1 = nn.transpose %0 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<2x2x3x2xf32>) -> tensor<2x3x2x2xf32>
// CHECK-NEXT:   %2 = nn.reshape %1 : (tensor<2x3x2x2xf32>) -> tensor<6x2x2xf32>
// CHECK-NEXT:   %y = nn.conv_transpose %x, %2 {strides = array<i64: 2>, pads = array<i64: 0, 1>, dilations = array<i64: 1>, groups = 2 : i64, output_padding = array<i64: 0>} : (tensor<1x4x3xf32>, tensor<6x2x2xf32>) -> tensor<1x6x5xf32>
// CHECK-NEXT:   func.return %y : tensor<1x6x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @too_large(%x: tensor<1x4x3xf32>, %w: tensor<4x2x2xf32>) -> tensor<1x2x8xf32> {
// CHECK-NEXT:   %0 = nn.reshape %w : (tensor<4x2x2xf32>) -> tensor<1x4x2x2xf32>
// CHECK-NEXT:   %1 = nn.transpose %0 {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x4x2x2xf32>) -> tensor<1x2x4x2xf32>
// CHECK-NEXT:   %2 = nn.reshape %1 : (tensor<1x2x4x2xf32>) -> tensor<2x4x2xf32>
// CHECK-NEXT:   %y = nn.conv_transpose %x, %2 {strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 2>} : (tensor<1x4x3xf32>, tensor<2x4x2xf32>) -> tensor<1x2x8xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x8xf32>
// CHECK-NEXT: }
