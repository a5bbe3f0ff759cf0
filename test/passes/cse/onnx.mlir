// RUN: autodeploy-opt --cse %s | filecheck %s

// CHECK-LABEL: @equal_ops
// CHECK-NEXT: %0 = "onnx.Softmax"(%x)
// CHECK-NEXT: func.return %0, %0
func.func @equal_ops(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "onnx.Softmax"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "onnx.Softmax"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Softmax before opset 13 means something else, and each draw of random numbers is another.
// CHECK-LABEL: @different
// CHECK-NEXT: onnx.Softmax"
// CHECK-NEXT: onnx.Softmax.v11"
// CHECK-NEXT: onnx.RandomUniformLike"
// CHECK-NEXT: onnx.RandomUniformLike"
func.func @different(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "onnx.Softmax"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "onnx.Softmax.v11"(%x) <{axis = 0 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "onnx.RandomUniformLike"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "onnx.RandomUniformLike"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
