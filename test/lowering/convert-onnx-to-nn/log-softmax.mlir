// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The maximum is subtracted before the exponential.

// CHECK: func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %0 = nn.reduce %x {kind = #nn<reduction max>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %1 = nn.sub %x, %0 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = nn.exp %1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %3 = nn.reduce %2 {kind = #nn<reduction sum>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %4 = nn.log %3 : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %y = nn.sub %1, %4 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %y : tensor<2x3xf32>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = "onnx.LogSoftmax"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
