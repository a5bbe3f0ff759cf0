// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn | filecheck %s

// A mark of numbers below 4 is -((n - 4) / 8), rounded down: a negative quotient of nn would be rounded up.

// CHECK: %[[ROWS:.*]] = nn.extent %x {axis = 0 : i64}
// CHECK: %[[PLUS:.*]] = nn.constant #nn.dense<4 : tensor<i64>>
// CHECK: %[[SUM:.*]] = nn.add %[[ROWS]], %[[PLUS]]
// CHECK: %[[OVER:.*]] = nn.constant #nn.dense<8 : tensor<i64>>
// CHECK: %[[QUOTIENT:.*]] = nn.div %[[SUM]], %[[OVER]]
// CHECK: %[[BELOW:.*]] = nn.constant #nn.dense<-1 : tensor<i64>>
// CHECK: nn.add %[[QUOTIENT]], %[[BELOW]]
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 11>} {
  func.func @main(%x: tensor<11x6xi64, #nn.extents<[d0, 6], "n", 1 to 11>>) -> tensor<*xi64> {
    %four = nn.constant #nn.dense<4 : tensor<1xi64>>
    %rows = "onnx.Shape"(%x) <{start = 0 : i64, end = 1 : i64}> : (tensor<11x6xi64, #nn.extents<[d0, 6], "n", 1 to 11>>) -> tensor<1xi64>
    %few = "onnx.Less"(%rows, %four) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %mark = "onnx.Cast"(%few) <{to = 7 : i64}> : (tensor<1xi1>) -> tensor<1xi64>
    %negative = "onnx.Neg"(%mark) : (tensor<1xi64>) -> tensor<1xi64>
    %y = "onnx.Add"(%x, %negative) : (tensor<11x6xi64, #nn.extents<[d0, 6], "n", 1 to 11>>, tensor<1xi64>) -> tensor<*xi64>
    func.return %y : tensor<*xi64>
  }
}
