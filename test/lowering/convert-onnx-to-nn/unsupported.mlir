// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// All that is unsupported is listed at once, by operator; what follows an unsupported node is
// looked at too, but not blamed for it (the Flatten).

// CHECK: error: the model has 6 nodes that cannot be converted
// CHECK-NEXT: ImageDecoder-20 node without a name, with output 'b' on ui8: this operator is not supported
// CHECK-NEXT: Pad-2 node "pad 'it'" on f32: mode 'mirror' is unknown, expected constant, reflect, edge, wrap
// CHECK-NEXT: Relu-14 node 'narrow' on f8E5M2: an operand has elements of type f8E5M2
// CHECK-NEXT: com.example.Bend 2 nodes ('second', 'first') on f32: this operator is not supported
// CHECK-NEXT: com.example.Fold node 'fold' on f32: this operator is not supported
// CHECK-NOT: node

func.func @main(%x: tensor<2x2xf32>, %u: tensor<8xui8>, %n: tensor<2xf8E5M2>) -> tensor<f32> {
  %a = "onnx.Relu"(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32> loc("fine")
  %b = "onnx.ImageDecoder"(%u) : (tensor<8xui8>) -> tensor<?x?x3xui8>
  %c = "onnx.Flatten"(%b) : (tensor<?x?x3xui8>) -> tensor<?x?xui8> loc("after")
  %d = "onnx.Pad.v2"(%a) <{pads = array<i64: 1, 1, 1, 1>, mode = "mirror"}> : (tensor<2x2xf32>) -> tensor<4x4xf32> loc("pad 'it'")
  %e = "onnx.custom"(%d) <{domain = "com.example", op_type = "Bend", settings = {}}> : (tensor<4x4xf32>) -> tensor<f32> loc("second")
  %f = "onnx.custom"(%d) <{domain = "com.example", op_type = "Bend", settings = {}}> : (tensor<4x4xf32>) -> tensor<f32> loc("first")
  %g = "onnx.custom"(%d) <{domain = "com.example", op_type = "Fold", settings = {}}> : (tensor<4x4xf32>) -> !onnx.unknown loc("fold")
  %h = "onnx.Relu"(%n) : (tensor<2xf8E5M2>) -> tensor<2xf8E5M2> loc("narrow")
  func.return %e : tensor<f32>
}
