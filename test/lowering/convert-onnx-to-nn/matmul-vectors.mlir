// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// An operand of rank 1 is a row on the left, a column on the right.

// CHECK: func.func @row(%a: tensor<5xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT: %0 = nn.reshape %a : (tensor<5xf32>) -> tensor<1x5xf32>
// CHECK-NEXT: %1 = nn.matmul %0, %b : (tensor<1x5xf32>, tensor<2x5x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: %y = nn.reshape %1 : (tensor<2x1x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: func.return %y : tensor<2x4xf32>
func.func @row(%a: tensor<5xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x4xf32> {
  %y = "onnx.MatMul"(%a, %b) : (tensor<5xf32>, tensor<2x5x4xf32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// CHECK: func.func @both(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<f32> {
// CHECK-NEXT: %0 = nn.reshape %a : (tensor<5xf32>) -> tensor<1x5xf32>
// CHECK-NEXT: %1 = nn.reshape %b : (tensor<5xf32>) -> tensor<5x1xf32>
// CHECK-NEXT: %2 = nn.matmul %0, %1 : (tensor<1x5xf32>, tensor<5x1xf32>) -> tensor<1x1xf32>
// CHECK-NEXT: %y = nn.reshape %2 : (tensor<1x1xf32>) -> tensor<f32>
// CHECK-NEXT: func.return %y : tensor<f32>
func.func @both(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<f32> {
  %y = "onnx.MatMul"(%a, %b) : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
  func.return %y : tensor<f32>
}
