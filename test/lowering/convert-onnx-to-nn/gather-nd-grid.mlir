// RUN: autodeploy-opt --convert-onnx-to-nn --split-input-file %s | filecheck %s

// Entry [b, 0, k] is element [b, k], as exporters write a mask of tokens: a reshape alone.

func.func @mask(%x: tensor<2x3xf32>) -> tensor<2x1x3xf32> {
  %i = nn.constant #nn.dense<[0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2] : tensor<2x1x3x2xi64>>
  %y = "onnx.GatherND"(%x, %i) : (tensor<2x3xf32>, tensor<2x1x3x2xi64>) -> tensor<2x1x3xf32>
  func.return %y : tensor<2x1x3xf32>
}

// CHECK:      func.func @mask
// CHECK-NOT:    nn.gather
// CHECK:        %y = nn.reshape %x : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
// CHECK-NEXT:   func.return %y

// -----

// One row, whose columns are in reverse order, for each of two entries.

func.func @row(%x: tensor<3x3x4xf32>) -> tensor<2x2x4xf32> {
  %i = nn.constant #nn.dense<[1, 2, 1, 1, 1, 2, 1, 1] : tensor<2x2x2xi64>>
  %y = "onnx.GatherND"(%x, %i) : (tensor<3x3x4xf32>, tensor<2x2x2xi64>) -> tensor<2x2x4xf32>
  func.return %y : tensor<2x2x4xf32>
}

// CHECK:      func.func @row
// CHECK:        %0 = nn.slice %x {starts = array<i64: 1, 2, 0>, sizes = array<i64: 1, 2, 4>, steps = array<i64: 1, -1, 1>}
// CHECK-NEXT:   %y = nn.broadcast %0
// CHECK-NEXT:   func.return %y

// -----

// Near miss: a diagonal counts two axes along one of the indices.

func.func @diagonal(%x: tensor<2x2xf32>) -> tensor<2xf32> {
  %i = nn.constant #nn.dense<[0, 0, 1, 1] : tensor<2x2xi64>>
  %y = "onnx.GatherND"(%x, %i) : (tensor<2x2xf32>, tensor<2x2xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK:      func.func @diagonal
// CHECK:        nn.gather
