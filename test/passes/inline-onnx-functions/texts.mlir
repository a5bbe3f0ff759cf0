// RUN: autodeploy-opt --inline-onnx-functions %s | filecheck %s

// An operator that ONNX lacks has its body from a text; conditions choose the lines by attributes,
// by the inputs that a node has, and by the number of their axes.
builtin.module attributes {onnx.opset = {ai.onnx = 17 : i64, com.microsoft = 1 : i64}} {
  // CHECK-LABEL: @transposed
  // CHECK: %[[R:.*]] = "onnx.Einsum.v12"(%b) <{equation = "...ij->...ji"}> : (tensor<4x3xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: %[[P:.*]] = "onnx.MatMul"(%{{.*}}, %[[R]]) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[ALPHA:.*]] = nn.constant #nn.dense<0.5 : tensor<f32>>
  // CHECK-NEXT: %[[Y:.*]] = "onnx.Mul"(%[[P]], %[[ALPHA]]) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  // CHECK-NEXT: func.return %[[Y]]
  func.func @transposed(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<*xf32> {
    %0 = "onnx.com.microsoft.FusedMatMul"(%a, %b) <{transB = 1 : i64, alpha = 5.000000e-01 : f32}> : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<*xf32>
    func.return %0 : tensor<*xf32>
  }

  // A vector has nothing to transpose.
  // CHECK-LABEL: @vector
  // CHECK-NOT: onnx.Einsum
  // CHECK: "onnx.MatMul"{{.*}} -> tensor<2xf32>
  func.func @vector(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<*xf32> {
    %0 = "onnx.com.microsoft.FusedMatMul"(%a, %b) <{transB = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
    func.return %0 : tensor<*xf32>
  }

  // CHECK-LABEL: @without_bias
  // CHECK-NOT: onnx.Add
  // CHECK: func.return
  func.func @without_bias(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "onnx.com.microsoft.FastGelu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    func.return %0 : tensor<2xf32>
  }

  // Without a domain, the operator is in opsets in which ONNX lacks it.
  // CHECK-LABEL: @older
  // CHECK: onnx.Reshape{{.*}} -> tensor<2x4xf32>
  // CHECK-NEXT: func.return
  func.func @older(%x: tensor<2x4xf32>, %s: tensor<4xf32>) -> tensor<2x4xf32> {
    %0 = "onnx.LayerNormalization.v1"(%x, %s) <{resultSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    func.return %0 : tensor<2x4xf32>
  }

  // A node that the text refuses stays, as does a part of a text whose axes are not known.
  // CHECK-LABEL: @refused
  // CHECK-NEXT: onnx.com.microsoft.FusedConv
  // CHECK: onnx.autodeploy.Transposed
  func.func @refused(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %c: tensor<*xf32>) -> tensor<*xf32> {
    %0 = "onnx.com.microsoft.FusedConv"(%x, %w) <{activation = "Softsign", operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x6xf32>
    %1 = "onnx.com.microsoft.FusedMatMul"(%0, %c) <{transB = 1 : i64}> : (tensor<1x4x6xf32>, tensor<*xf32>) -> tensor<*xf32>
    func.return %1 : tensor<*xf32>
  }
}
