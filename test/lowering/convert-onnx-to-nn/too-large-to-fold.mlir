// RUN: not autodeploy-opt --fold-onnx-constants --convert-onnx-to-nn %s 2>&1 | filecheck %s

// Numbers that would be computed now, were they not so many, are told from an operator that lacks.

func.func @main() -> tensor<1000000xf64> {
  %many = nn.constant #nn.dense<1.0 : tensor<1000000x6x6xf64>>
  %y = "onnx.Det"(%many) : (tensor<1000000x6x6xf64>) -> tensor<1000000xf64> loc("volumes")
  func.return %y : tensor<1000000xf64>
}

// CHECK: error: the model has 1 node that cannot be converted
// CHECK-NEXT: Det-{{[0-9]+}} node 'volumes' on f64: it could be computed now, but takes 288000000 bytes, but constants have 268435456 at most
