// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Too few or too many values for the parameters of an operator.

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{Expected 2 operands, but got 1}}
  %0 = "onnx.MatMul"(%x) : (tensor<2xf32>) -> tensor<f32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{Expected 1 result, but got 2}}
  %0, %1 = "onnx.Relu"(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %max: tensor<f32>) {
  // expected-error@+1 {{operandSegmentSizes}}
  %0 = "onnx.Clip"(%x, %max) : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return
}
