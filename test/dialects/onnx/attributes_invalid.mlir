// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Properties of another kind than the schema's, and those that it lacks or requires.

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'axis' expects an integer of type i64, found 1 : i32 [attribute_c1]}}
  %0 = "onnx.Softmax"(%x) <{axis = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'alpha' expects a number of type f32, found 1.000000e+00 : f64 [attribute_c1]}}
  %0 = "onnx.LeakyRelu"(%x) <{alpha = 1.0 : f64}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'auto_pad' expects a string, found 1 : i64 [attribute_c1]}}
  %0 = "onnx.AveragePool"(%x) <{auto_pad = 1 : i64, kernel_shape = array<i64: 2>}> : (tensor<4xf32>) -> tensor<*xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'kernel_shape' expects an array<i64: ...>, found array<i32: 2> [attribute_c1]}}
  %0 = "onnx.AveragePool"(%x) <{kernel_shape = array<i32: 2>}> : (tensor<4xf32>) -> tensor<*xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{attribute 'scales' expects a list of numbers of type f32, found [1 : i64] [attribute_c1]}}
  %0 = "onnx.Upsample.v7"(%x) <{scales = [1 : i64]}> : (tensor<4xf32>) -> tensor<*xf32>
  func.return
}

// -----

func.func @f(%n: tensor<1xi64>) {
  // expected-error@+1 {{attribute 'values_strings' expects a list of strings, found [1 : i64] [attribute_c1]}}
  %0 = "onnx.ml.LabelEncoder"(%n) <{values_strings = [1 : i64]}> : (tensor<1xi64>) -> tensor<1x!onnx.string>
  func.return
}

// -----

func.func @f(%n: tensor<1xi64>) {
  // expected-error@+1 {{attribute 'value' expects a constant tensor, found 1 : i64 [attribute_c1]}}
  %0 = "onnx.ConstantOfShape"(%n) <{value = 1 : i64}> : (tensor<1xi64>) -> tensor<?xf32>
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{attribute 'type' expects a type, found 1 : i64 [attribute_c1]}}
  %0 = "onnx.Optional"() <{type = 1 : i64}> : () -> !onnx.optional<tensor<2xf32>>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{property 'axis' expected}}
  %0 = "onnx.Concat"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{property 'slope' is not defined}}
  %0 = "onnx.Relu"(%x) <{slope = 1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}
