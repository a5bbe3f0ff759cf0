// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// 0 keeps an extent, -1 takes what is left; constants that told the shape are gone.

// CHECK: func.func @zero(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
// CHECK-NEXT: %y = nn.reshape %x : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: func.return %y : tensor<2x12xf32>
func.func @zero(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32> {
  %s = nn.constant #nn.dense<[0, -1] : tensor<2xi64>>
  %y = "onnx.Reshape"(%x, %s) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  func.return %y : tensor<2x12xf32>
}

// What has no elements is a constant.

// CHECK: func.func @allowzero(%x: tensor<0x3xf32>) -> tensor<3x0xf32> {
// CHECK-NEXT: nn.reshape %x : (tensor<0x3xf32>) -> tensor<3x0xf32>
// CHECK-NEXT: %y = nn.constant #nn.dense<[] : tensor<3x0xf32>>
// CHECK-NEXT: func.return %y : tensor<3x0xf32>
func.func @allowzero(%x: tensor<0x3xf32>) -> tensor<3x0xf32> {
  %s = nn.constant #nn.dense<[3, 0] : tensor<2xi64>>
  %y = "onnx.Reshape"(%x, %s) <{allowzero = 1 : i64}> : (tensor<0x3xf32>, tensor<2xi64>) -> tensor<3x0xf32>
  func.return %y : tensor<3x0xf32>
}

// CHECK: func.func @opset_1(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
// CHECK-NEXT: %y = nn.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: func.return %y : tensor<3x4xf32>
func.func @opset_1(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  %y = "onnx.Reshape.v1"(%x) <{shape = array<i64: 3, -1>}> : (tensor<2x6xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}
