// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// An open extent of an input is reported where it is used first, with the remedy.

// CHECK: error: the model has 1 node that cannot be converted
// CHECK-NEXT: Relu-14 node 'first' on f32: an operand has dynamic shape tensor<?x3xf32>; give the model's inputs a shape with --shape
// CHECK-NOT: node

func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %y = "onnx.Relu"(%x) : (tensor<?x3xf32>) -> tensor<?x3xf32> loc("first")
  %z = "onnx.Tanh"(%y) : (tensor<?x3xf32>) -> tensor<?x3xf32> loc("second")
  func.return %z : tensor<?x3xf32>
}
