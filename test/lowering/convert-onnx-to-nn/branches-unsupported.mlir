// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// What is valid and only lacks here is refused, wherever it stands.
// CHECK-NOT: warning
// CHECK:      error: the model has 1 node that cannot be converted
// CHECK-NEXT: com.example.Fold node without a name{{.*}}this operator is not supported
func.func @main(%c: tensor<i1>, %x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.custom"(%x) <{domain = "com.example", op_type = "Fold", settings = {}}> : (tensor<2x3xf32>) -> !onnx.unknown
    "onnx.yield"(%1) : (!onnx.unknown) -> ()
  }, {
    "onnx.yield"(%x) : (tensor<2x3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
