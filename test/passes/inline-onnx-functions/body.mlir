// RUN: autodeploy-opt --inline-onnx-functions %s | filecheck %s

// HardSwish is x * HardSigmoid(x), HardSigmoid has a body too; attributes come from the node, the
// body around it, or the schema's defaults. What is computed of constants alone is folded.
builtin.module attributes {onnx.opset = {ai.onnx = 22 : i64}} {
  // CHECK-LABEL: @hard_swish
  // CHECK-NOT: onnx.Hard
  // CHECK-DAG: nn.constant #nn.dense<0.16666667 : tensor<f32>>
  // CHECK-DAG: nn.constant #nn.dense<0.5 : tensor<f32>>
  // CHECK: %[[AX:.*]] = "onnx.Mul"(%x, %{{.*}}) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK: "onnx.Add"(%[[AX]], %{{.*}})
  // CHECK: %[[Y:.*]] = "onnx.Mul"(%x, %{{.*}}) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: func.return %[[Y]]
  func.func @hard_swish(%x: tensor<2x3xf32>) -> tensor<*xf32> {
    %0 = "onnx.HardSwish"(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
    func.return %0 : tensor<*xf32>
  }

  // CHECK-LABEL: @own_alpha
  // CHECK: nn.constant #nn.dense<0.25 : tensor<f32>>
  // CHECK-NOT: onnx.LeakyRelu
  func.func @own_alpha(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = "onnx.LeakyRelu"(%x) <{alpha = 0.25 : f32}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    func.return %0 : tensor<2x3xf32>
  }
}
