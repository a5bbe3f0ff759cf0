// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Pads with elements of the operand; what a negative pad takes away is gone before.

func.func @reflect(%x: tensor<4x5xf32>) -> tensor<5x6xf32> {
  %p = nn.constant #nn.dense<[-1, 2, 2, -1] : tensor<4xi64>>
  %y = "onnx.Pad"(%x, %p) <{mode = "reflect", operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<4x5xf32>, tensor<4xi64>) -> tensor<5x6xf32>
  func.return %y : tensor<5x6xf32>
}

func.func @edge(%x: tensor<2x3xf32>) -> tensor<2x5xf32> {
  %y = "onnx.Pad.v2"(%x) <{mode = "edge", pads = array<i64: 0, 1, 0, 1>}> : (tensor<2x3xf32>) -> tensor<2x5xf32>
  func.return %y : tensor<2x5xf32>
}

// CHECK:      func.func @reflect(%x: tensor<4x5xf32>) -> tensor<5x6xf32> {
// CHECK-NEXT:   %0 = nn.slice %x {starts = array<i64: 1, 0>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 1>} : (tensor<4x5xf32>) -> tensor<3x4xf32>
// CHECK-NEXT:   %y = nn.pad %0 {pads = array<i64: 0, 2, 2, 0>, mode = #nn<pad_mode reflect>} : (tensor<3x4xf32>) -> tensor<5x6xf32>
// CHECK-NEXT:   func.return %y : tensor<5x6xf32>
// CHECK-NEXT: }

// CHECK:      func.func @edge(%x: tensor<2x3xf32>) -> tensor<2x5xf32> {
// CHECK-NEXT:   %y = nn.pad %x {pads = array<i64: 0, 1, 0, 1>, mode = #nn<pad_mode edge>} : (tensor<2x3xf32>) -> tensor<2x5xf32>
// CHECK-NEXT:   func.return %y : tensor<2x5xf32>
// CHECK-NEXT: }
