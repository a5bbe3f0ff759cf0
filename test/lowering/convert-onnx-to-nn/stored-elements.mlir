// RUN: autodeploy-opt --convert-onnx-to-nn --split-input-file %s | filecheck %s

// Elements of less than a byte come in bytes, and go in bytes; those of a byte come as codes.

func.func @main(%x: tensor<3xi4> {nn.name = "x"}) -> (tensor<3xi4> {nn.name = "y"}) {
  %y = "onnx.Identity.v24"(%x) : (tensor<3xi4>) -> tensor<3xi4>
  func.return %y : tensor<3xi4>
}

// CHECK:      func.func @main(%x: tensor<2xui8> {nn.name = "x", nn.stored = tensor<3xi4>}) -> (tensor<2xui8> {nn.name = "y", nn.stored = tensor<3xi4>}) {
// CHECK:      nn.concat
// CHECK:      nn.slice

// -----

func.func @main(%x: tensor<3xf8E5M2>) -> tensor<1x3xf8E5M2> {
  %y = "onnx.Flatten.v24"(%x) {axis = 0 : i64} : (tensor<3xf8E5M2>) -> tensor<1x3xf8E5M2>
  func.return %y : tensor<1x3xf8E5M2>
}

// CHECK:      func.func @main(%x: tensor<3xui8> {nn.stored = tensor<3xf8E5M2>}) -> (tensor<1x3xui8> {nn.stored = tensor<1x3xf8E5M2>}) {
// CHECK-NEXT:   nn.reshape %x
