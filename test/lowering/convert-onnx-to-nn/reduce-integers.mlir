// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The mean of integers is a sum and a quotient, a root of integers one of floats.

// CHECK: func.func @mean(%x: tensor<2x3xi32>) -> tensor<i32> {
// CHECK-NEXT: %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0, 1>} : (tensor<2x3xi32>) -> tensor<i32>
// CHECK-NEXT: %1 = nn.constant #nn.dense<6 : tensor<i32>>
// CHECK-NEXT: %y = nn.div %0, %1 : (tensor<i32>, tensor<i32>) -> tensor<i32>
// CHECK-NEXT: func.return %y : tensor<i32>
func.func @mean(%x: tensor<2x3xi32>) -> tensor<i32> {
  %y = "onnx.ReduceMean"(%x) <{keepdims = 0 : i64}> : (tensor<2x3xi32>) -> tensor<i32>
  func.return %y : tensor<i32>
}

// CHECK: func.func @l2(%x: tensor<2x3xi32>) -> tensor<i32> {
// CHECK-NEXT: %0 = nn.mul %x, %x : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
// CHECK-NEXT: %1 = nn.reduce %0 {kind = #nn<reduction sum>, axes = array<i64: 0, 1>} : (tensor<2x3xi32>) -> tensor<i32>
// CHECK-NEXT: %2 = nn.cast %1 : (tensor<i32>) -> tensor<f64>
// CHECK-NEXT: %3 = nn.sqrt %2 : (tensor<f64>) -> tensor<f64>
// CHECK-NEXT: %y = nn.cast %3 : (tensor<f64>) -> tensor<i32>
// CHECK-NEXT: func.return %y : tensor<i32>
func.func @l2(%x: tensor<2x3xi32>) -> tensor<i32> {
  %y = "onnx.ReduceL2"(%x) <{keepdims = 0 : i64}> : (tensor<2x3xi32>) -> tensor<i32>
  func.return %y : tensor<i32>
}
