// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// A tensor that no kernel can address is reported where it is made, and where it comes in.

func.func @main(%x: tensor<1x3xf32>, %h: tensor<65536x65536xf32>) -> (tensor<4294967296x3xf32>, tensor<65536x65536xf32>) {
  %s = nn.constant #nn.dense<[4294967296, 3] : tensor<2xi64>>
  %y = "onnx.Expand"(%x, %s) : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<4294967296x3xf32> loc("wide")
  %z = "onnx.Relu"(%h) : (tensor<65536x65536xf32>) -> tensor<65536x65536xf32> loc("given")
  func.return %y, %z : tensor<4294967296x3xf32>, tensor<65536x65536xf32>
}

// CHECK: error: the model has 2 nodes that cannot be converted
// CHECK-NEXT: Expand-13 node 'wide' on f32: the result has shape 4294967296x3, a kernel addresses at most 2147483647 elements
// CHECK-NEXT: Relu-14 node 'given' on f32: an operand has shape 65536x65536, a kernel addresses at most 2147483647 elements
