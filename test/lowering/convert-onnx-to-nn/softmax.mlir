// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Before opset 13 the axes from `axis` on are one; that is left out where it changes nothing.

// CHECK: func.func @today(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT: %y = nn.softmax %x {axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: func.return %y : tensor<2x3x4xf32>
func.func @today(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = "onnx.Softmax"(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// CHECK: func.func @opset_11(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: %1 = nn.softmax %0 {axis = 1 : i64} : (tensor<2x12xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: %y = nn.reshape %1 : (tensor<2x12xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT: func.return %y : tensor<2x3x4xf32>
func.func @opset_11(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %y = "onnx.Softmax.v11"(%x) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// CHECK: func.func @one_pixel(%x: tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32> {
// CHECK-NEXT: %y = nn.softmax %x {axis = 1 : i64} : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
// CHECK-NEXT: func.return %y : tensor<2x3x1x1xf32>
func.func @one_pixel(%x: tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32> {
  %y = "onnx.Softmax.v1"(%x) : (tensor<2x3x1x1xf32>) -> tensor<2x3x1x1xf32>
  func.return %y : tensor<2x3x1x1xf32>
}
