// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// CHECK-LABEL: @known_part
// CHECK-NEXT: nn.constant #nn.dense<[3, 4] : tensor<2xi64>>
func.func @known_part(%x: tensor<?x3x4xf32>) -> tensor<2xi64> {
  %0 = "onnx.Shape.v15"(%x) <{start = -2 : i64}> : (tensor<?x3x4xf32>) -> tensor<2xi64>
  func.return %0 : tensor<2xi64>
}

// CHECK-LABEL: @size
// CHECK-NEXT: nn.constant #nn.dense<12 : tensor<i64>>
func.func @size(%x: tensor<3x4xf32>) -> tensor<i64> {
  %0 = "onnx.Size.v13"(%x) : (tensor<3x4xf32>) -> tensor<i64>
  func.return %0 : tensor<i64>
}

// CHECK-LABEL: @open
// CHECK-NEXT: onnx.Shape
// CHECK-NEXT: onnx.Size
func.func @open(%x: tensor<?x3x4xf32>) -> (tensor<3xi64>, tensor<i64>) {
  %0 = "onnx.Shape.v15"(%x) : (tensor<?x3x4xf32>) -> tensor<3xi64>
  %1 = "onnx.Size.v13"(%x) : (tensor<?x3x4xf32>) -> tensor<i64>
  func.return %0, %1 : tensor<3xi64>, tensor<i64>
}
