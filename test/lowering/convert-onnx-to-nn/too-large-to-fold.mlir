// RUN: not autodeploy-opt --fold-onnx-constants --convert-onnx-to-nn %s 2>&1 | filecheck %s

// Numbers that would be computed now, were they not so many, are told from an operator that lacks.

func.func @main(%x: tensor<1xi64>) -> tensor<100000000xi64> {
  %start = nn.constant #nn.dense<0 : tensor<i64>>
  %end = nn.constant #nn.dense<100000000 : tensor<i64>>
  %step = nn.constant #nn.dense<1 : tensor<i64>>
  %r = "onnx.Range.v11"(%start, %end, %step) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<100000000xi64> loc("numbers")
  %y = "onnx.Add"(%x, %r) : (tensor<1xi64>, tensor<100000000xi64>) -> tensor<100000000xi64>
  func.return %y : tensor<100000000xi64>
}

// CHECK: error: the model has 1 node that cannot be converted
// CHECK-NEXT: Range-11 node 'numbers' on i64: it could be computed now, but takes 800000000 bytes, but constants have 268435456 at most
