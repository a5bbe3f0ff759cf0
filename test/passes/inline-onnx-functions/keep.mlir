// RUN: autodeploy-opt --inline-onnx-functions="keep=HardSigmoid,Softplus" %s | filecheck %s

// CHECK-LABEL: @kept_within
// CHECK-NEXT: %[[H:.*]] = "onnx.HardSigmoid"(%x) <{alpha = 0.166666672 : f32, beta = 5.000000e-01 : f32}>
// CHECK-NEXT: "onnx.Mul"(%x, %[[H]])
func.func @kept_within(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.HardSwish"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @kept
// CHECK-NEXT: onnx.Softplus
func.func @kept(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Softplus"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @no_body
// CHECK-NEXT: onnx.Tanh
func.func @no_body(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Tanh"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
