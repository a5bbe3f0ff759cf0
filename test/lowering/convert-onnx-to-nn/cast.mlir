// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The target is a name in opset 1, a number since; a cast to the same type is nothing.

// CHECK: func.func @name(%x: tensor<2xi32>) -> tensor<2xf32> {
// CHECK-NEXT: %y = nn.cast %x : (tensor<2xi32>) -> tensor<2xf32>
// CHECK-NEXT: func.return %y : tensor<2xf32>
func.func @name(%x: tensor<2xi32>) -> tensor<2xf32> {
  %y = "onnx.Cast.v1"(%x) <{to = "FLOAT"}> : (tensor<2xi32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK: func.func @number(%x: tensor<2xf32>) -> tensor<2xi1> {
// CHECK-NEXT: %y = nn.cast %x : (tensor<2xf32>) -> tensor<2xi1>
// CHECK-NEXT: func.return %y : tensor<2xi1>
func.func @number(%x: tensor<2xf32>) -> tensor<2xi1> {
  %y = "onnx.Cast"(%x) <{to = 9 : i64}> : (tensor<2xf32>) -> tensor<2xi1>
  func.return %y : tensor<2xi1>
}

// CHECK: func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT: func.return %x : tensor<2xf32>
func.func @same(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = "onnx.Cast"(%x) <{to = 1 : i64}> : (tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
