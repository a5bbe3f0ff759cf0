// RUN: autodeploy-opt --infer-onnx-shapes %s | filecheck %s

// An op of another version than the module's opset is inferred as that version: Squeeze took its
// axes as an attribute before opset 13.
builtin.module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  // CHECK-LABEL: @main
  // CHECK-NEXT: onnx.Squeeze.v11{{.*}} -> tensor<3x1xf32>
  func.func @main(%x: tensor<1x3x1xf32>) -> tensor<?x?xf32> {
    %0 = "onnx.Squeeze.v11"(%x) <{axes = array<i64: 0>}> : (tensor<1x3x1xf32>) -> tensor<?x?xf32>
    func.return %0 : tensor<?x?xf32>
  }
}
