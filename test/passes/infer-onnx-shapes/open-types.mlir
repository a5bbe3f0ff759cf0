// RUN: autodeploy-opt --infer-onnx-shapes %s | filecheck %s

// Each op sees what its operands gained; the function hands the types on.
builtin.module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  // CHECK: func.func @main(%x: tensor<2x6xf32>) -> (tensor<3x4xf32>, tensor<4xf32>)
  func.func @main(%x: tensor<2x6xf32>) -> (tensor<?x?xf32>, tensor<*xf32>) {
    %shape = nn.constant #nn.dense<[3, -1] : tensor<2xi64>>
    // CHECK: onnx.Reshape{{.*}} -> tensor<3x4xf32>
    %0 = "onnx.Reshape.v14"(%x, %shape) : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
    // CHECK: onnx.Relu{{.*}} -> tensor<3x4xf32>
    %1 = "onnx.Relu"(%0) : (tensor<?x?xf32>) -> !onnx.unknown
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    // CHECK: onnx.ReduceSum{{.*}} -> tensor<4xf32>
    %2 = "onnx.ReduceSum"(%1, %axes) <{keepdims = 0 : i64}> : (!onnx.unknown, tensor<1xi64>) -> tensor<*xf32>
    func.return %0, %2 : tensor<?x?xf32>, tensor<*xf32>
  }
}
