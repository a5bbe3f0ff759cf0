// RUN: autodeploy-opt --inline-onnx-functions --print-debuginfo %s | filecheck %s

// The ops of a body carry the name of the node, and within it the operator.
// CHECK: onnx.Mul{{.*}} loc("act"("HardSwish-22"))
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.HardSwish"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("act")
  func.return %0 : tensor<2x3xf32>
}
