// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Axes as attribute and as input.

// CHECK: func.func @squeeze(%x: tensor<1x3x1xf32>) -> tensor<1x3xf32> {
// CHECK-NEXT: %y = nn.reshape %x : (tensor<1x3x1xf32>) -> tensor<1x3xf32>
// CHECK-NEXT: func.return %y : tensor<1x3xf32>
func.func @squeeze(%x: tensor<1x3x1xf32>) -> tensor<1x3xf32> {
  %y = "onnx.Squeeze.v11"(%x) <{axes = array<i64: -1>}> : (tensor<1x3x1xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

// CHECK: func.func @squeeze_all(%x: tensor<1x3x1xf32>) -> tensor<3xf32> {
// CHECK-NEXT: %y = nn.reshape %x : (tensor<1x3x1xf32>) -> tensor<3xf32>
// CHECK-NEXT: func.return %y : tensor<3xf32>
func.func @squeeze_all(%x: tensor<1x3x1xf32>) -> tensor<3xf32> {
  %y = "onnx.Squeeze"(%x) : (tensor<1x3x1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// CHECK: func.func @unsqueeze(%x: tensor<3xf32>) -> tensor<1x3x1xf32> {
// CHECK-NEXT: %y = nn.reshape %x : (tensor<3xf32>) -> tensor<1x3x1xf32>
// CHECK-NEXT: func.return %y : tensor<1x3x1xf32>
func.func @unsqueeze(%x: tensor<3xf32>) -> tensor<1x3x1xf32> {
  %a = nn.constant #nn.dense<[-1, 0] : tensor<2xi64>>
  %y = "onnx.Unsqueeze"(%x, %a) : (tensor<3xf32>, tensor<2xi64>) -> tensor<1x3x1xf32>
  func.return %y : tensor<1x3x1xf32>
}
