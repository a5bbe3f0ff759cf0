// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Pads as attribute and input; a negative one takes elements away.

// CHECK: func.func @attribute(%x: tensor<2x3xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT: %y = nn.pad %x {pads = array<i64: 0, 1, 2, 0>, value = 1.500000e+00 : f64} : (tensor<2x3xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %y : tensor<4x4xf32>
func.func @attribute(%x: tensor<2x3xf32>) -> tensor<4x4xf32> {
  %y = "onnx.Pad.v2"(%x) <{pads = array<i64: 0, 1, 2, 0>, value = 1.5 : f32}> : (tensor<2x3xf32>) -> tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}

// CHECK: func.func @axes(%x: tensor<2x3x4xf32>) -> tensor<2x3x7xf32> {
// CHECK-NEXT: %y = nn.pad %x {pads = array<i64: 0, 0, 1, 0, 0, 2>} : (tensor<2x3x4xf32>) -> tensor<2x3x7xf32>
// CHECK-NEXT: func.return %y : tensor<2x3x7xf32>
func.func @axes(%x: tensor<2x3x4xf32>) -> tensor<2x3x7xf32> {
  %p = nn.constant #nn.dense<[1, 2] : tensor<2xi64>>
  %a = nn.constant #nn.dense<[-1] : tensor<1xi64>>
  %y = "onnx.Pad"(%x, %p, %a) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}> : (tensor<2x3x4xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<2x3x7xf32>
  func.return %y : tensor<2x3x7xf32>
}

// CHECK: func.func @negative(%x: tensor<4x5xf32>) -> tensor<6x6xf32> {
// CHECK-NEXT: %0 = nn.slice %x {starts = array<i64: 1, 0>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 1>} : (tensor<4x5xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %y = nn.pad %0 {pads = array<i64: 0, 2, 3, 0>} : (tensor<3x4xf32>) -> tensor<6x6xf32>
// CHECK-NEXT: func.return %y : tensor<6x6xf32>
func.func @negative(%x: tensor<4x5xf32>) -> tensor<6x6xf32> {
  %p = nn.constant #nn.dense<[-1, 2, 3, -1] : tensor<4xi64>>
  %y = "onnx.Pad"(%x, %p) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<4x5xf32>, tensor<4xi64>) -> tensor<6x6xf32>
  func.return %y : tensor<6x6xf32>
}
