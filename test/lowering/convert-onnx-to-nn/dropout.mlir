// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Dropout that does not train hands its operand on; its mask is all true.

// CHECK: func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>) {
// CHECK-NEXT: %m = nn.constant #nn.dense<1 : tensor<2xi1>>
// CHECK-NEXT: func.return %x, %m : tensor<2xf32>, tensor<2xi1>
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>) {
  %y, %m = "onnx.Dropout"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xi1>)
  func.return %y, %m : tensor<2xf32>, tensor<2xi1>
}
