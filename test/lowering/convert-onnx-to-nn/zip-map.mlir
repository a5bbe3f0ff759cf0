// RUN: autodeploy-opt %s --convert-onnx-to-nn | filecheck %s

// A sequence of maps is a table whose columns have keys; the operand, an output of its own, has none.

// CHECK: func.func @main(%x: tensor<4x2xf32>) -> (tensor<4x2xf32> {nn.keys = ["no", "\\xfc"]}, tensor<4x2xf32>) {
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: func.return %0, %x
func.func @main(%x: tensor<4x2xf32>) -> (!onnx.sequence<!onnx.map<!onnx.string, tensor<f32>>>, tensor<4x2xf32>) {
  %0 = "onnx.ml.ZipMap"(%x) <{classlabels_strings = ["no", "ü"]}> : (tensor<4x2xf32>) -> !onnx.sequence<!onnx.map<!onnx.string, tensor<f32>>>
  func.return %0, %x : !onnx.sequence<!onnx.map<!onnx.string, tensor<f32>>>, tensor<4x2xf32>
}
