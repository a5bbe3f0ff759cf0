// RUN: autodeploy-opt --infer-onnx-shapes %s --split-input-file --verify-diagnostics

// A version that is no number of ONNX's.

// expected-error@below {{onnx.opset has version 9223372036854775807 of ai.onnx, expected 0 to 2147483647}}
builtin.module attributes {onnx.opset = {ai.onnx = 9223372036854775807 : i64}} {
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "onnx.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}

// -----

// expected-error@below {{onnx.opset has version -1 of other, expected 0 to 2147483647}}
builtin.module attributes {onnx.opset = {ai.onnx = 17 : i64, other = -1 : i64}} {
  func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "onnx.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }
}
