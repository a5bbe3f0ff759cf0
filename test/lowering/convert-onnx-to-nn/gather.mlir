// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Evenly spaced indices are a slice.

// CHECK: func.func @scalar(%x: tensor<4x3xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %0 = nn.slice %x {starts = array<i64: 0, 2>, sizes = array<i64: 4, 1>, steps = array<i64: 1, 1>} : (tensor<4x3xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: %y = nn.reshape %0 : (tensor<4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %y : tensor<4xf32>
func.func @scalar(%x: tensor<4x3xf32>) -> tensor<4xf32> {
  %i = nn.constant #nn.dense<-1 : tensor<i64>>
  %y = "onnx.Gather"(%x, %i) <{axis = 1 : i64}> : (tensor<4x3xf32>, tensor<i64>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK: func.func @backwards(%x: tensor<7x3xf32>) -> tensor<2x2x3xf32> {
// CHECK-NEXT: %0 = nn.slice %x {starts = array<i64: 6, 0>, sizes = array<i64: 4, 3>, steps = array<i64: -2, 1>} : (tensor<7x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %y = nn.reshape %0 : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
// CHECK-NEXT: func.return %y : tensor<2x2x3xf32>
func.func @backwards(%x: tensor<7x3xf32>) -> tensor<2x2x3xf32> {
  %i = nn.constant #nn.dense<[6, 4, 2, 0] : tensor<2x2xi64>>
  %y = "onnx.Gather"(%x, %i) : (tensor<7x3xf32>, tensor<2x2xi64>) -> tensor<2x2x3xf32>
  func.return %y : tensor<2x2x3xf32>
}
