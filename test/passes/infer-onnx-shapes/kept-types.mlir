// RUN: autodeploy-opt --infer-onnx-shapes %s | filecheck %s

// The shape is not known, but the model says more than inference finds: nothing is loosened.
// CHECK: onnx.Reshape{{.*}} -> tensor<3x4xf32>
func.func @open_shape(%x: tensor<2x6xf32>, %shape: tensor<2xi64>) -> tensor<3x4xf32> {
  %0 = "onnx.Reshape.v14"(%x, %shape) : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}

// What contradicts the model's own type is not taken.
// CHECK: onnx.Relu{{.*}} -> tensor<5x?xf32>
func.func @contradiction(%x: tensor<2x6xf32>) -> tensor<5x?xf32> {
  %0 = "onnx.Relu"(%x) : (tensor<2x6xf32>) -> tensor<5x?xf32>
  func.return %0 : tensor<5x?xf32>
}

// Shapes that do not multiply: inference fails, the types stay.
// CHECK: onnx.MatMul{{.*}} -> tensor<?x?xf32>
func.func @failure(%x: tensor<2x6xf32>) -> tensor<?x?xf32> {
  %0 = "onnx.MatMul"(%x, %x) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<?x?xf32>
  func.return %0 : tensor<?x?xf32>
}
