// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// CHECK-LABEL: @both
// CHECK-NEXT: %[[A:.*]] = nn.constant #nn.dense<[3.0, 2.0] : tensor<2xf32>>
// CHECK-NEXT: %[[B:.*]] = nn.constant #nn.dense<[2, 1] : tensor<2xi64>>
// CHECK-NEXT: func.return %[[A]], %[[B]]
func.func @both() -> (tensor<?xf32>, tensor<?xi64>) {
  %x = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %k = nn.constant #nn.dense<2 : tensor<1xi64>>
  %0, %1 = "onnx.TopK"(%x, %k) : (tensor<3xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  func.return %0, %1 : tensor<?xf32>, tensor<?xi64>
}
