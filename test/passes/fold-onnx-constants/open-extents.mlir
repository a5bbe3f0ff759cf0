// RUN: autodeploy-opt %s --fold-onnx-constants | filecheck %s

// A value that follows from an open extent is kept for the largest number, so that types follow, and is not folded. Other
// values are constants as ever: those of constants, and the extents of one.

// CHECK-LABEL: func.func @main
// CHECK: %[[SHAPE:.*]] = "onnx.Shape"(%x) {onnx.largest = [#nn.dense<[8, 6] : tensor<2xi64>>]}
// CHECK: %[[ROWS:.*]] = "onnx.Gather"(%[[SHAPE]], %{{.*}}) <{axis = 0 : i64}> {onnx.largest = [#nn.dense<8 : tensor<i64>>]}
// CHECK: %[[LIST:.*]] = "onnx.Unsqueeze"(%[[ROWS]], %{{.*}}) {onnx.largest = [#nn.dense<[8] : tensor<1xi64>>]}
// CHECK: %[[LAST:.*]] = nn.constant #nn.dense<[2, 3] : tensor<2xi64>>
// CHECK: %[[TO:.*]] = "onnx.Concat"(%[[LIST]], %[[LAST]]) <{axis = 0 : i64}> {onnx.largest = [#nn.dense<[8, 2, 3] : tensor<3xi64>>]}
// CHECK: "onnx.Reshape"(%x, %[[TO]]) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<3xi64>) -> tensor<8x2x3xf32>
// CHECK: %[[TABLE:.*]] = nn.constant #nn.dense<[4] : tensor<1xi64>>
// CHECK: func.return %{{.*}}, %[[TABLE]]
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> (tensor<*xf32>, tensor<1xi64>) {
    %zero = nn.constant #nn.dense<0 : tensor<i64>>
    %ones = nn.constant #nn.dense<1 : tensor<1xi64>>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %one = nn.constant #nn.dense<[1, 2] : tensor<2xi64>>
    %table = nn.constant #nn.dense<[5.0, 6.0, 7.0, 8.0] : tensor<4xf32>>
    %shape = "onnx.Shape"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<2xi64>
    %rows = "onnx.Gather"(%shape, %zero) <{axis = 0 : i64}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    %list = "onnx.Unsqueeze"(%rows, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %last = "onnx.Add"(%one, %ones) : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi64>
    %to = "onnx.Concat"(%list, %last) <{axis = 0 : i64}> : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
    %y = "onnx.Reshape"(%x, %to) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<3xi64>) -> tensor<*xf32>
    %extents = "onnx.Shape"(%table) : (tensor<4xf32>) -> tensor<1xi64>
    func.return %y, %extents : tensor<*xf32>, tensor<1xi64>
  }
}
