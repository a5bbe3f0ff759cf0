// RUN: autodeploy-opt %s --convert-onnx-to-nn | filecheck %s

// A sum of a condition is how many of its elements are set: the same value as for NonZero of the
// reshaped condition, so nothing compares them. Places that do not count are the number of rows,
// which the library leaves out.

// CHECK-LABEL: func.func @counted
// CHECK: %[[SUM:.*]] = nn.reduce %n
// CHECK: %[[COUNT:.*]] = nn.reshape %[[SUM]] : (tensor<i64>) -> tensor<1xi64>
// CHECK: "select"(
// CHECK-NOT: "choose"
// CHECK: nn.constant #nn.dense<[0, 1, 2, 3, 4, 5]
// CHECK: %[[HERE:.*]] = nn.less
// CHECK: %[[ROWS:.*]] = nn.constant #nn.dense<6 : tensor<i64>>
// CHECK: %[[PLACES:.*]] = nn.where %[[HERE]], %{{.*}}, %[[ROWS]]
// CHECK: "scatter"(%{{.*}}, %[[PLACES]], %{{.*}}) {parameters = array<i64: 0, 1>, checks, rows}
func.func @counted(%x: tensor<6xf32>, %m: tensor<2x3xi1>) -> tensor<6xf32> {
  %nine = nn.constant #nn.dense<[9.0] : tensor<1xf32>>
  %flat = nn.constant #nn.dense<[-1] : tensor<1xi64>>
  %f = "onnx.Reshape.v14"(%m, %flat) : (tensor<2x3xi1>, tensor<1xi64>) -> tensor<6xi1>
  %n = "onnx.Cast.v13"(%m) <{to = 7 : i64}> : (tensor<2x3xi1>) -> tensor<2x3xi64>
  %k = "onnx.ReduceSum"(%n) <{keepdims = 0 : i64}> : (tensor<2x3xi64>) -> tensor<i64>
  %s = "onnx.Reshape.v14"(%k, %flat) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
  %u = "onnx.Expand"(%nine, %s) : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  %z = "onnx.NonZero"(%f) : (tensor<6xi1>) -> tensor<1x?xi64>
  %i = "onnx.Transpose"(%z) : (tensor<1x?xi64>) -> tensor<?x1xi64>
  %y = "onnx.ScatterND"(%x, %i, %u) : (tensor<6xf32>, tensor<?x1xi64>, tensor<?xf32>) -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}

// Two conditions: the program compares how many are set.

// CHECK-LABEL: func.func @compared
// CHECK: %[[DIFFERENCE:.*]] = nn.sub
// CHECK: nn.library_call "choose"(%[[DIFFERENCE]], %{{.*}}) {checks}
// CHECK: "scatter"
func.func @compared(%x: tensor<6xf32>, %m: tensor<6xi1>, %o: tensor<6xi1>) -> tensor<6xf32> {
  %z = "onnx.NonZero"(%m) : (tensor<6xi1>) -> tensor<1x?xi64>
  %i = "onnx.Transpose"(%z) : (tensor<1x?xi64>) -> tensor<?x1xi64>
  %u = "onnx.Compress"(%x, %o) <{axis = 0 : i64}> : (tensor<6xf32>, tensor<6xi1>) -> tensor<?xf32>
  %y = "onnx.ScatterND"(%x, %i, %u) : (tensor<6xf32>, tensor<?x1xi64>, tensor<?xf32>) -> tensor<6xf32>
  func.return %y : tensor<6xf32>
}
