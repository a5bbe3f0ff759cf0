// RUN: autodeploy-opt -p convert-onnx-to-nn{string_bytes=16} %s | filecheck %s

// The function takes and returns cells; those of inputs are checked.

func.func @main(%x: tensor<2x3x!onnx.string> {nn.name = "words"}) -> tensor<2x3x!onnx.string> {
  func.return %x : tensor<2x3x!onnx.string>
}

// CHECK:      func.func @main(%x: tensor<2x3x16xui8> {nn.name = "words", nn.stored = tensor<2x3x!nn.string<16>>}) -> (tensor<2x3x16xui8> {nn.stored = tensor<2x3x!nn.string<16>>}) {
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<2x3x16xui8>) -> tensor<6x16xui8>
// CHECK-NEXT:   %1 = nn.library_call "text_take"(%0) {checks, rows} : (tensor<6x16xui8>) -> tensor<6x16xui8>
// CHECK-NEXT:   %2 = nn.reshape %1 : (tensor<6x16xui8>) -> tensor<2x3x16xui8>
// CHECK-NEXT:   func.return %2 : tensor<2x3x16xui8>
