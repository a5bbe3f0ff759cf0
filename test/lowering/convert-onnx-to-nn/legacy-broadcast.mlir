// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Before opset 7 the right operand is stretched by `broadcast` and `axis`.

// CHECK: func.func @axis(%a: tensor<2x3x4xf32>, %b: tensor<3xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT: %0 = nn.reshape %b : (tensor<3xf32>) -> tensor<3x1xf32>
// CHECK-NEXT: %y = nn.add %a, %0 : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: func.return %y : tensor<2x3x4xf32>
func.func @axis(%a: tensor<2x3x4xf32>, %b: tensor<3xf32>) -> tensor<2x3x4xf32> {
  %y = "onnx.Add.v6"(%a, %b) <{broadcast = 1 : i64, axis = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// CHECK: func.func @suffix(%a: tensor<2x3x4xf32>, %b: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT: %y = nn.mul %a, %b : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: func.return %y : tensor<2x3x4xf32>
func.func @suffix(%a: tensor<2x3x4xf32>, %b: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %y = "onnx.Mul.v1"(%a, %b) <{broadcast = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// CHECK: func.func @one_element(%a: tensor<3xf32>, %b: tensor<1x1xf32>) -> tensor<3xf32> {
// CHECK-NEXT: %0 = nn.reshape %b : (tensor<1x1xf32>) -> tensor<f32>
// CHECK-NEXT: %y = nn.sub %a, %0 : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
// CHECK-NEXT: func.return %y : tensor<3xf32>
func.func @one_element(%a: tensor<3xf32>, %b: tensor<1x1xf32>) -> tensor<3xf32> {
  %y = "onnx.Sub.v6"(%a, %b) <{broadcast = 1 : i64}> : (tensor<3xf32>, tensor<1x1xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
