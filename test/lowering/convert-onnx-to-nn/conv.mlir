// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// A convolution with all its attributes, then one that leaves them all out.

// CHECK: func.func @all(%x: tensor<1x4x9x9xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>) -> tensor<1x6x5x6xf32> {
// CHECK-NEXT: %y = nn.conv %x, %w, %b {strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, groups = 2 : i64} : (tensor<1x4x9x9xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x5x6xf32>
// CHECK-NEXT: func.return %y : tensor<1x6x5x6xf32>
func.func @all(%x: tensor<1x4x9x9xf32>, %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>) -> tensor<1x6x5x6xf32> {
  %y = "onnx.Conv"(%x, %w, %b) <{kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 2, 1>, dilations = array<i64: 1, 2>, group = 2 : i64}> : (tensor<1x4x9x9xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<1x6x5x6xf32>
  func.return %y : tensor<1x6x5x6xf32>
}

// CHECK: func.func @none(%x: tensor<1x4x9x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32> {
// CHECK-NEXT: %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
// CHECK-NEXT: func.return %y : tensor<1x6x7x7xf32>
func.func @none(%x: tensor<1x4x9x9xf32>, %w: tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32> {
  %y = "onnx.Conv.v11"(%x, %w) : (tensor<1x4x9x9xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x7x7xf32>
  func.return %y : tensor<1x6x7x7xf32>
}
