// RUN: autodeploy-opt --remove-onnx-identities %s | filecheck %s

// CHECK-LABEL: @identity
// CHECK-NEXT: func.return %x
func.func @identity(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Identity"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @less_known_result
// CHECK-SAME: -> tensor<2x3xf32>
// CHECK-NEXT: func.return %x
func.func @less_known_result(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.Identity"(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

// CHECK-LABEL: @one_operand
// CHECK-NEXT: func.return %x, %x
func.func @one_operand(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = "onnx.Concat"(%x) <{axis = 0 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = "onnx.Sum"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0, %1 : tensor<2x3xf32>, tensor<2x3xf32>
}

// The result says more of the shape than the operand.
// CHECK-LABEL: @more_known_result
// CHECK-NEXT: onnx.Identity
func.func @more_known_result(%x: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Identity"(%x) : (tensor<?x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @two_operands
// CHECK-NEXT: onnx.Sum
func.func @two_operands(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.Sum"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
