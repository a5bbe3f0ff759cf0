// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The odd element of SAME goes to the end with UPPER, to the beginning with LOWER.

// CHECK: func.func @same_upper(%x: tensor<1x1x6x7xf32>, %w: tensor<1x1x3x2xf32>) -> tensor<1x1x3x7xf32> {
// CHECK-NEXT: %y = nn.conv %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 0, 1, 1, 1>, dilations = array<i64: 1, 2>} : (tensor<1x1x6x7xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x7xf32>
// CHECK-NEXT: func.return %y : tensor<1x1x3x7xf32>
func.func @same_upper(%x: tensor<1x1x6x7xf32>, %w: tensor<1x1x3x2xf32>) -> tensor<*xf32> {
  %y = "onnx.Conv"(%x, %w) <{auto_pad = "SAME_UPPER", strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>}> : (tensor<1x1x6x7xf32>, tensor<1x1x3x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// CHECK: func.func @same_lower(%x: tensor<1x1x6x7xf32>, %w: tensor<1x1x3x2xf32>) -> tensor<1x1x3x7xf32> {
// CHECK-NEXT: %y = nn.conv %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 0, 1>, dilations = array<i64: 1, 2>} : (tensor<1x1x6x7xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x3x7xf32>
// CHECK-NEXT: func.return %y : tensor<1x1x3x7xf32>
func.func @same_lower(%x: tensor<1x1x6x7xf32>, %w: tensor<1x1x3x2xf32>) -> tensor<*xf32> {
  %y = "onnx.Conv"(%x, %w) <{auto_pad = "SAME_LOWER", strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>}> : (tensor<1x1x6x7xf32>, tensor<1x1x3x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// CHECK: func.func @valid(%x: tensor<1x1x6x7xf32>, %w: tensor<1x1x3x2xf32>) -> tensor<1x1x2x5xf32> {
// CHECK-NEXT: %y = nn.conv %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 2>} : (tensor<1x1x6x7xf32>, tensor<1x1x3x2xf32>) -> tensor<1x1x2x5xf32>
// CHECK-NEXT: func.return %y : tensor<1x1x2x5xf32>
func.func @valid(%x: tensor<1x1x6x7xf32>, %w: tensor<1x1x3x2xf32>) -> tensor<*xf32> {
  %y = "onnx.Conv"(%x, %w) <{auto_pad = "VALID", strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>}> : (tensor<1x1x6x7xf32>, tensor<1x1x3x2xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
