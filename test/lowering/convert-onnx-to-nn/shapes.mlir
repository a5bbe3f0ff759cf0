// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// What is known from shapes becomes a constant.

// CHECK: func.func @extents(%x: tensor<2x3x4xf32>) -> (tensor<2xi64>, tensor<i64>) {
// CHECK-NEXT: %y = nn.constant #nn.dense<[3, 4] : tensor<2xi64>>
// CHECK-NEXT: %z = nn.constant #nn.dense<24 : tensor<i64>>
// CHECK-NEXT: func.return %y, %z : tensor<2xi64>, tensor<i64>
func.func @extents(%x: tensor<2x3x4xf32>) -> (tensor<2xi64>, tensor<i64>) {
  %y = "onnx.Shape"(%x) <{start = 1 : i64}> : (tensor<2x3x4xf32>) -> tensor<2xi64>
  %z = "onnx.Size"(%x) : (tensor<2x3x4xf32>) -> tensor<i64>
  func.return %y, %z : tensor<2xi64>, tensor<i64>
}

// CHECK: func.func @filled() -> tensor<2x2xi32> {
// CHECK-NEXT: %y = nn.constant #nn.dense<7 : tensor<2x2xi32>>
// CHECK-NEXT: func.return %y : tensor<2x2xi32>
func.func @filled() -> tensor<2x2xi32> {
  %s = nn.constant #nn.dense<[2, 2] : tensor<2xi64>>
  %y = "onnx.ConstantOfShape"(%s) <{value = #nn.dense<[7] : tensor<1xi32>>}> : (tensor<2xi64>) -> tensor<2x2xi32>
  func.return %y : tensor<2x2xi32>
}
