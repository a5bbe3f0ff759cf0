// RUN: autodeploy-opt --infer-onnx-shapes %s | filecheck %s

// Where an attribute names no type, ONNX infers none, and the op keeps what it has.

// CHECK-LABEL: @cast_to_nothing
// CHECK: onnx.Cast{{.*}} -> tensor<*xf32>
func.func @cast_to_nothing(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.Cast.v13"(%x) <{to = 0 : i64}> : (tensor<2x3xf32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
