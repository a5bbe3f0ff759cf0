// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// The type that an output is declared with must be one that the body can have.

// CHECK: error: output 0 of @main is declared as tensor<?x5xf32>, but the model computes tensor<4x3xf32>

func.func @main(%x: tensor<4x3xf32>) -> tensor<?x5xf32> {
  %y = "onnx.Relu"(%x) : (tensor<4x3xf32>) -> tensor<?x5xf32>
  func.return %y : tensor<?x5xf32>
}
