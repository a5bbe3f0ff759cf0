// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// Neither branch can run: all is listed, and nothing is a warning.
// CHECK-NOT: warning
// CHECK:      error: the model has 2 nodes that cannot be converted
// CHECK-NEXT: Concat-13 node without a name
// CHECK-NEXT: MatMul-13 node without a name
func.func @main(%c: tensor<i1>, %x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.MatMul"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
    "onnx.yield"(%1) : (tensor<*xf32>) -> ()
  }, {
    %2 = "onnx.Concat"(%x, %c) <{axis = 0 : i64}> : (tensor<2x3xf32>, tensor<i1>) -> tensor<*xf32>
    "onnx.yield"(%2) : (tensor<*xf32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
