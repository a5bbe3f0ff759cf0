// RUN: not autodeploy-opt --fold-onnx-constants --convert-onnx-to-nn %s 2>&1 | filecheck %s

// Numbers that would be computed now, were they not so many, are told from an operator that lacks.

func.func @main() -> tensor<?xi64> {
  %many = nn.constant #nn.dense<1 : tensor<10000000xi64>>
  %y, %first, %inverse, %counts = "onnx.Unique"(%many) <{resultSegmentSizes = array<i32: 1, 1, 1, 1>}> : (tensor<10000000xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>, tensor<?xi64>) loc("different")
  func.return %y : tensor<?xi64>
}

// CHECK: error: the model has 1 node that cannot be converted
// CHECK-NEXT: Unique-{{[0-9]+}} node 'different' on i64: it could be computed now, but takes 320000000 bytes, but constants have 268435456 at most
