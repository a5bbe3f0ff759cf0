// RUN: autodeploy-opt --inline-onnx-functions %s | filecheck %s

// The body of Softmax for opset 13 reduces by an attribute, the one for opset 18 by an operand.
builtin.module attributes {onnx.opset = {ai.onnx = 13 : i64}} {
  // CHECK: onnx.ReduceMax.v13
  func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "onnx.Softmax"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
