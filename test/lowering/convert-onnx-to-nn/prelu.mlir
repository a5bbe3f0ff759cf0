// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Before opset 7 the slope has one value a channel.

func.func @main(%x: tensor<1x3x2xf32>, %s: tensor<3xf32>) -> tensor<1x3x2xf32> {
  %y = "onnx.PRelu.v6"(%x, %s) : (tensor<1x3x2xf32>, tensor<3xf32>) -> tensor<1x3x2xf32>
  func.return %y : tensor<1x3x2xf32>
}

// CHECK:      func.func @main(%x: tensor<1x3x2xf32>, %s: tensor<3xf32>) -> tensor<1x3x2xf32> {
// CHECK-NEXT:   %0 = nn.reshape %s : (tensor<3xf32>) -> tensor<3x1xf32>
// CHECK-NEXT:   %y = nn.prelu %x, %0 : (tensor<1x3x2xf32>, tensor<3x1xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x2xf32>
// CHECK-NEXT: }
