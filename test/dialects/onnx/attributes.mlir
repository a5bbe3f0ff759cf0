// RUN: autodeploy-opt %s | filecheck %s

// Each kind of attribute that a schema knows, as a property.

// CHECK-LABEL: func.func @kinds
func.func @kinds(%x: tensor<4xf32>, %n: tensor<1xi64>) {
  // CHECK: <{axis = -1 : i64}>
  %int = "onnx.Softmax"(%x) <{axis = -1 : i64}> : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: <{alpha = 0xff800000 : f32}>
  %float = "onnx.LeakyRelu"(%x) <{alpha = 0xff800000 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: <{auto_pad = "VALID", kernel_shape = array<i64: 2>}>
  %string = "onnx.AveragePool"(%x) <{auto_pad = "VALID", kernel_shape = array<i64: 2>}> : (tensor<4xf32>) -> tensor<*xf32>
  // CHECK: <{scales = [5.000000e-01 : f32, 0x7f800000 : f32]}>
  %floats = "onnx.Upsample.v7"(%x) <{scales = [0.5 : f32, 0x7f800000 : f32]}> : (tensor<4xf32>) -> tensor<*xf32>
  // CHECK: <{keys_int64s = array<i64: 7>, values_strings = ["a\22b", "\C3\A9"]}>
  %strings = "onnx.ml.LabelEncoder"(%n) <{keys_int64s = array<i64: 7>, values_strings = ["a\22b", "\C3\A9"]}> : (tensor<1xi64>) -> tensor<1x!onnx.string>
  // CHECK: <{value = #nn.dense<[2.0] : tensor<1xf32>>}>
  %tensor = "onnx.ConstantOfShape"(%n) <{value = #nn.dense<[2.0] : tensor<1xf32>>}> : (tensor<1xi64>) -> tensor<?xf32>
  // CHECK: <{type = tensor<2xf32>}>
  %type = "onnx.Optional"() <{type = tensor<2xf32>}> : () -> !onnx.optional<tensor<2xf32>>
  func.return
}
