// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Padding counts only with count_include_pad; a global pool is a reduction.

// CHECK: func.func @excluded(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
// CHECK-NEXT: %y = nn.average_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x5x5xf32>
func.func @excluded(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
  %y = "onnx.AveragePool"(%x) <{kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}> : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  func.return %y : tensor<1x2x5x5xf32>
}

// CHECK: func.func @counted(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
// CHECK-NEXT: %y = nn.average_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x5x5xf32>
func.func @counted(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32> {
  %y = "onnx.AveragePool.v7"(%x) <{kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, count_include_pad = 1 : i64}> : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  func.return %y : tensor<1x2x5x5xf32>
}

// CHECK: func.func @global(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32> {
// CHECK-NEXT: %y = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 2, 3>, keepdims = true} : (tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x1x1xf32>
func.func @global(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32> {
  %y = "onnx.GlobalAveragePool"(%x) : (tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32>
  func.return %y : tensor<1x2x1x1xf32>
}
