// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// How many there are, only the data tells, but not more than there are elements.
// CHECK-LABEL: @nonzero
// CHECK-NEXT: nn.constant #nn.dense<[0, 2] : tensor<1x2xi64>>
func.func @nonzero() -> tensor<1x?xi64> {
  %x = nn.constant #nn.dense<[5, 0, 7] : tensor<3xi32>>
  %0 = "onnx.NonZero"(%x) : (tensor<3xi32>) -> tensor<1x?xi64>
  func.return %0 : tensor<1x?xi64>
}
