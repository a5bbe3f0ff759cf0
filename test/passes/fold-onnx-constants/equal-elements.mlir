// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// 400 TB of equal elements stay one element, whatever is done to them.
// CHECK-LABEL: @huge
// CHECK-NEXT: %0 = nn.constant #nn.dense<6.0 : tensor<100x1000000x1000000xf32>>
// CHECK-NEXT: func.return %0
func.func @huge() -> tensor<*xf32> {
  %shape = nn.constant #nn.dense<[1000000, 1000000, 100] : tensor<3xi64>>
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %0 = "onnx.ConstantOfShape.v9"(%shape) <{value = #nn.dense<3.0 : tensor<1xf32>>}> : (tensor<3xi64>) -> tensor<*xf32>
  %1 = "onnx.Mul"(%0, %two) : (tensor<*xf32>, tensor<f32>) -> tensor<*xf32>
  %2 = "onnx.Transpose"(%1) <{perm = array<i64: 2, 0, 1>}> : (tensor<*xf32>) -> tensor<*xf32>
  func.return %2 : tensor<*xf32>
}

// Equal operands do not make a sum along an axis cheap.
// CHECK-LABEL: @reduced
// CHECK: onnx.ReduceSum
func.func @reduced() -> tensor<*xf32> {
  %c = nn.constant #nn.dense<1.0 : tensor<1000000x1000000xf32>>
  %0 = "onnx.ReduceSum"(%c) <{keepdims = 0 : i64}> : (tensor<1000000x1000000xf32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

// More elements than can be numbered.
// CHECK-LABEL: @impossible
// CHECK: onnx.ConstantOfShape
func.func @impossible() -> tensor<*xf32> {
  %shape = nn.constant #nn.dense<4611686018427387904 : tensor<3xi64>>
  %0 = "onnx.ConstantOfShape.v9"(%shape) : (tensor<3xi64>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
