// RUN: autodeploy-opt --remove-onnx-identities %s | filecheck %s

// A scalar has no axis to slice, and a matrix has not three axes.
// CHECK-LABEL: @more_axes
// CHECK: onnx.Slice
// CHECK: onnx.Transpose
func.func @more_axes(%x: tensor<f32>, %y: tensor<2x3xf32>) -> (tensor<f32>, tensor<2x3xf32>) {
  %zero = nn.constant #nn.dense<[0] : tensor<1xi64>>
  %one = nn.constant #nn.dense<[1] : tensor<1xi64>>
  %0 = "onnx.Slice"(%x, %zero, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<f32>, tensor<1xi64>, tensor<1xi64>) -> tensor<f32>
  %1 = "onnx.Transpose"(%y) <{perm = array<i64: 0, 1, 2>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0, %1 : tensor<f32>, tensor<2x3xf32>
}
