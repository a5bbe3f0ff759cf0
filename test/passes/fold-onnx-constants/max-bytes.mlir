// RUN: autodeploy-opt --fold-onnx-constants="max-bytes=16" %s | filecheck %s

// CHECK-LABEL: @at_the_limit
// CHECK-NEXT: nn.constant #nn.dense<[2.0, 4.0, 6.0, 8.0] : tensor<4xf32>>
func.func @at_the_limit() -> tensor<4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>>
  %0 = "onnx.Add"(%c, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: @result_too_large
// CHECK: onnx.Add
func.func @result_too_large() -> tensor<?x?xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1xf32>>
  %d = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = "onnx.Add"(%c, %d) : (tensor<3x1xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  func.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @operand_too_large
// CHECK: onnx.ReduceSum
func.func @operand_too_large() -> tensor<1xf32> {
  %c = nn.constant #nn.dense<1.0 : tensor<5xf32>>
  %0 = "onnx.ReduceSum"(%c) : (tensor<5xf32>) -> tensor<1xf32>
  func.return %0 : tensor<1xf32>
}
