// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Open extents of outputs become what the body computes.

// CHECK: func.func @main(%x: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
// CHECK-NEXT: %y = nn.relu %x : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: %z = nn.tanh %y : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: func.return %y, %z : tensor<4x3xf32>, tensor<4x3xf32>
func.func @main(%x: tensor<4x3xf32>) -> (tensor<?x3xf32>, tensor<*xf32>) {
  %y = "onnx.Relu"(%x) : (tensor<4x3xf32>) -> tensor<?x3xf32>
  %z = "onnx.Tanh"(%y) : (tensor<?x3xf32>) -> tensor<*xf32>
  func.return %y, %z : tensor<?x3xf32>, tensor<*xf32>
}
