// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Bounds mean what Python's do, and a whole tensor is not sliced.

// CHECK: func.func @attributes(%x: tensor<5x6xf32>) -> tensor<2x2xf32> {
// CHECK-NEXT: %y = nn.slice %x {starts = array<i64: 1, 4>, sizes = array<i64: 2, 2>, steps = array<i64: 1, 1>} : (tensor<5x6xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: func.return %y : tensor<2x2xf32>
func.func @attributes(%x: tensor<5x6xf32>) -> tensor<2x2xf32> {
  %y = "onnx.Slice.v1"(%x) <{starts = array<i64: 1, -2>, ends = array<i64: 3, 100>, axes = array<i64: 0, 1>}> : (tensor<5x6xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// CHECK: func.func @reversed(%x: tensor<7xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %y = nn.slice %x {starts = array<i64: 6>, sizes = array<i64: 4>, steps = array<i64: -2>} : (tensor<7xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %y : tensor<4xf32>
func.func @reversed(%x: tensor<7xf32>) -> tensor<4xf32> {
  %s = nn.constant #nn.dense<[-1] : tensor<1xi64>>
  %e = nn.constant #nn.dense<[-9223372036854775808] : tensor<1xi64>>
  %a = nn.constant #nn.dense<[0] : tensor<1xi64>>
  %d = nn.constant #nn.dense<[-2] : tensor<1xi64>>
  %y = "onnx.Slice"(%x, %s, %e, %a, %d) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<7xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK: func.func @whole(%x: tensor<7xf32>) -> tensor<7xf32> {
// CHECK-NEXT: func.return %x : tensor<7xf32>
func.func @whole(%x: tensor<7xf32>) -> tensor<7xf32> {
  %y = "onnx.Slice.v1"(%x) <{starts = array<i64: 0>, ends = array<i64: 7>}> : (tensor<7xf32>) -> tensor<7xf32>
  func.return %y : tensor<7xf32>
}
