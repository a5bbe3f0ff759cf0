// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Attributes by default, in full, and by auto_pad.

// CHECK: func.func @defaults(%x: tensor<1x2x6x7xf32>) -> tensor<1x2x5x5xf32> {
// CHECK-NEXT: %y = nn.max_pool %x {window = array<i64: 2, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x7xf32>) -> tensor<1x2x5x5xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x5x5xf32>
func.func @defaults(%x: tensor<1x2x6x7xf32>) -> tensor<1x2x5x5xf32> {
  %y = "onnx.MaxPool.v1"(%x) <{kernel_shape = array<i64: 2, 3>}> : (tensor<1x2x6x7xf32>) -> tensor<1x2x5x5xf32>
  func.return %y : tensor<1x2x5x5xf32>
}

// CHECK: func.func @full(%x: tensor<1x2x6x7xi8>) -> tensor<1x2x3x4xi8> {
// CHECK-NEXT: %y = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 1>, ceil_mode = true} : (tensor<1x2x6x7xi8>) -> tensor<1x2x3x4xi8>
// CHECK-NEXT: func.return %y : tensor<1x2x3x4xi8>
func.func @full(%x: tensor<1x2x6x7xi8>) -> tensor<1x2x3x4xi8> {
  %y = "onnx.MaxPool"(%x) <{kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 1>, ceil_mode = 1 : i64, storage_order = 1 : i64}> : (tensor<1x2x6x7xi8>) -> tensor<1x2x3x4xi8>
  func.return %y : tensor<1x2x3x4xi8>
}

// CHECK: func.func @same(%x: tensor<1x2x5xf32>) -> tensor<1x2x3xf32> {
// CHECK-NEXT: %y = nn.max_pool %x {window = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 0, 1>, dilations = array<i64: 1>} : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x3xf32>
func.func @same(%x: tensor<1x2x5xf32>) -> tensor<1x2x3xf32> {
  %y = "onnx.MaxPool"(%x) <{kernel_shape = array<i64: 2>, strides = array<i64: 2>, auto_pad = "SAME_UPPER"}> : (tensor<1x2x5xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
