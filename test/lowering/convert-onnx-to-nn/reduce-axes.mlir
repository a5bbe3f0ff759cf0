// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Axes are an attribute or an input, count from the end, and are all where none are given.

// CHECK: func.func @attribute(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
// CHECK-NEXT: %y = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
// CHECK-NEXT: func.return %y : tensor<3xf32>
func.func @attribute(%x: tensor<2x3x4xf32>) -> tensor<3xf32> {
  %y = "onnx.ReduceMean.v13"(%x) <{axes = array<i64: -1, 0>, keepdims = 0 : i64}> : (tensor<2x3x4xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}

// CHECK: func.func @input(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
// CHECK-NEXT: %y = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3x4xf32>) -> tensor<2x1x4xf32>
// CHECK-NEXT: func.return %y : tensor<2x1x4xf32>
func.func @input(%x: tensor<2x3x4xf32>) -> tensor<2x1x4xf32> {
  %a = nn.constant #nn.dense<[1] : tensor<1xi64>>
  %y = "onnx.ReduceSum"(%x, %a) : (tensor<2x3x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  func.return %y : tensor<2x1x4xf32>
}

// CHECK: func.func @all(%x: tensor<2x3x4xf32>) -> tensor<1x1x1xf32> {
// CHECK-NEXT: %y = nn.reduce %x {kind = #nn<reduction max>, axes = array<i64: 0, 1, 2>, keepdims = true} : (tensor<2x3x4xf32>) -> tensor<1x1x1xf32>
// CHECK-NEXT: func.return %y : tensor<1x1x1xf32>
func.func @all(%x: tensor<2x3x4xf32>) -> tensor<1x1x1xf32> {
  %y = "onnx.ReduceMax"(%x) : (tensor<2x3x4xf32>) -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}

// CHECK: func.func @no_axes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %y = nn.mul %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %y : tensor<2x3xf32>
func.func @no_axes(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = "onnx.ReduceSumSquare"(%x) <{noop_with_empty_axes = 1 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
