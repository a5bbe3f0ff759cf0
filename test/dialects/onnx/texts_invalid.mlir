// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Operators that ONNX lacks are verified by the declaration in their text.

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'alpha' expects a number of type f32, found 1 : i64 [attribute_c1]}}
  %0 = "onnx.com.microsoft.QuickGelu"(%x) <{alpha = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'onnx.com.microsoft.BiasGelu'}}
  %0 = "onnx.com.microsoft.BiasGelu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}
