// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Only axes that repeat get an axis to broadcast.

// CHECK: func.func @main(%x: tensor<2x3xf32>) -> tensor<2x12xf32> {
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<2x3xf32>) -> tensor<2x1x3xf32>
// CHECK-NEXT: %1 = nn.broadcast %0 : (tensor<2x1x3xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: %y = nn.reshape %1 : (tensor<2x4x3xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: func.return %y : tensor<2x12xf32>
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x12xf32> {
  %r = nn.constant #nn.dense<[1, 4] : tensor<2xi64>>
  %y = "onnx.Tile"(%x, %r) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  func.return %y : tensor<2x12xf32>
}
