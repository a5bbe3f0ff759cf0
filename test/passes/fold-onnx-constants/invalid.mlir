// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// What an operator does not take is not computed, though the reference does: a scalar has no axis 1.
// CHECK-LABEL: @scalar
// CHECK: onnx.Flatten
// CHECK: onnx.Gather
func.func @scalar() -> (tensor<1x1xf32>, tensor<f32>) {
  %x = nn.constant #nn.dense<1.0 : tensor<f32>>
  %i = nn.constant #nn.dense<0 : tensor<i64>>
  %0 = "onnx.Flatten"(%x) <{axis = 1 : i64}> : (tensor<f32>) -> tensor<1x1xf32>
  %1 = "onnx.Gather"(%x, %i) : (tensor<f32>, tensor<i64>) -> tensor<f32>
  func.return %0, %1 : tensor<1x1xf32>, tensor<f32>
}

// CHECK-LABEL: @in_front_of_all_axes
// CHECK-NEXT: %0 = nn.constant #nn.dense<[1.0] : tensor<1x1xf32>>
// CHECK-NEXT: func.return %0
func.func @in_front_of_all_axes() -> tensor<*xf32> {
  %x = nn.constant #nn.dense<1.0 : tensor<f32>>
  %0 = "onnx.Flatten"(%x) <{axis = 0 : i64}> : (tensor<f32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

// Equal elements do not become more or fewer by another shape.
// CHECK-LABEL: @counts
// CHECK: onnx.Reshape
// CHECK: onnx.Squeeze
// CHECK: onnx.Transpose
func.func @counts() -> (tensor<4xf32>, tensor<3xf32>, tensor<3x2xf32>) {
  %x = nn.constant #nn.dense<0.0 : tensor<2x3xf32>>
  %four = nn.constant #nn.dense<[4] : tensor<1xi64>>
  %zero = nn.constant #nn.dense<[0] : tensor<1xi64>>
  %0 = "onnx.Reshape"(%x, %four) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<4xf32>
  %1 = "onnx.Squeeze"(%x, %zero) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<3xf32>
  %2 = "onnx.Transpose"(%x) <{perm = array<i64: 0, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return %0, %1, %2 : tensor<4xf32>, tensor<3xf32>, tensor<3x2xf32>
}
