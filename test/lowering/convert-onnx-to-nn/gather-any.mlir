// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Constant indices that are not evenly spaced are counted from 0; computed ones stay as they are.

func.func @constant(%x: tensor<5x3xf32>) -> tensor<3x3xf32> {
  %i = nn.constant #nn.dense<[4, 0, -1] : tensor<3xi64>>
  %y = "onnx.Gather"(%x, %i) : (tensor<5x3xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  func.return %y : tensor<3x3xf32>
}

func.func @computed(%x: tensor<5x3xf32>, %i: tensor<2x2xi64>) -> tensor<5x2x2xf32> {
  %y = "onnx.Gather"(%x, %i) <{axis = 1 : i64}> : (tensor<5x3xf32>, tensor<2x2xi64>) -> tensor<5x2x2xf32>
  func.return %y : tensor<5x2x2xf32>
}

func.func @elements(%x: tensor<5x3xf32>, %i: tensor<5x1xi64>) -> tensor<5x1xf32> {
  %y = "onnx.GatherElements"(%x, %i) <{axis = -1 : i64}> : (tensor<5x3xf32>, tensor<5x1xi64>) -> tensor<5x1xf32>
  func.return %y : tensor<5x1xf32>
}

// CHECK:      func.func @constant(%x: tensor<5x3xf32>) -> tensor<3x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[4, 0, 4] : tensor<3xi32>>
// CHECK-NEXT:   %y = nn.gather %x, %0 {axis = 0 : i64} : (tensor<5x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
// CHECK-NEXT:   func.return %y : tensor<3x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @computed(%x: tensor<5x3xf32>, %i: tensor<2x2xi64>) -> tensor<5x2x2xf32> {
// CHECK-NEXT:   %y = nn.gather %x, %i {axis = 1 : i64} : (tensor<5x3xf32>, tensor<2x2xi64>) -> tensor<5x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<5x2x2xf32>
// CHECK-NEXT: }

// CHECK:      func.func @elements(%x: tensor<5x3xf32>, %i: tensor<5x1xi64>) -> tensor<5x1xf32> {
// CHECK-NEXT:   %y = nn.gather_elements %x, %i {axis = 1 : i64} : (tensor<5x3xf32>, tensor<5x1xi64>) -> tensor<5x1xf32>
// CHECK-NEXT:   func.return %y : tensor<5x1xf32>
// CHECK-NEXT: }
