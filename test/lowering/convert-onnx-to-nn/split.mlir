// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Sizes are equal, given, or since opset 18 equal but for the last.

// CHECK: func.func @count(%x: tensor<7xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
// CHECK-NEXT: %y = nn.slice %x {starts = array<i64: 0>, sizes = array<i64: 4>, steps = array<i64: 1>} : (tensor<7xf32>) -> tensor<4xf32>
// CHECK-NEXT: %z = nn.slice %x {starts = array<i64: 4>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<7xf32>) -> tensor<3xf32>
// CHECK-NEXT: func.return %y, %z : tensor<4xf32>, tensor<3xf32>
func.func @count(%x: tensor<7xf32>) -> (tensor<4xf32>, tensor<3xf32>) {
  %y, %z = "onnx.Split"(%x) <{num_outputs = 2 : i64}> : (tensor<7xf32>) -> (tensor<4xf32>, tensor<3xf32>)
  func.return %y, %z : tensor<4xf32>, tensor<3xf32>
}

// CHECK: func.func @equal(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT: %y = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>} : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %z = nn.slice %x {starts = array<i64: 0, 3>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 1>} : (tensor<2x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
func.func @equal(%x: tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %y, %z = "onnx.Split.v2"(%x) <{axis = 1 : i64}> : (tensor<2x6xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  func.return %y, %z : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK: func.func @given(%x: tensor<6xf32>) -> (tensor<1xf32>, tensor<5xf32>) {
// CHECK-NEXT: %y = nn.slice %x {starts = array<i64: 0>, sizes = array<i64: 1>, steps = array<i64: 1>} : (tensor<6xf32>) -> tensor<1xf32>
// CHECK-NEXT: %z = nn.slice %x {starts = array<i64: 1>, sizes = array<i64: 5>, steps = array<i64: 1>} : (tensor<6xf32>) -> tensor<5xf32>
// CHECK-NEXT: func.return %y, %z : tensor<1xf32>, tensor<5xf32>
func.func @given(%x: tensor<6xf32>) -> (tensor<1xf32>, tensor<5xf32>) {
  %s = nn.constant #nn.dense<[1, 5] : tensor<2xi64>>
  %y, %z = "onnx.Split.v13"(%x, %s) : (tensor<6xf32>, tensor<2xi64>) -> (tensor<1xf32>, tensor<5xf32>)
  func.return %y, %z : tensor<1xf32>, tensor<5xf32>
}
