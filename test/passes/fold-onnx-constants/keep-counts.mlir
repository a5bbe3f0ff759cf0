// RUN: autodeploy-opt %s --fold-onnx-constants | filecheck %s

// Where a diagonal lies, and how often a loop runs, are values of the run. The trips of a loop that collects a row in
// each of them are the extent of a result: those stay a constant.

// CHECK:     %[[THREE:.*]] = nn.constant #nn.dense<3 : tensor<i64>>
// CHECK:     %[[ROWS:.*]] = nn.extent %x {axis = 1 : i64} : (tensor<1x3xf32>) -> tensor<i64>
// CHECK:     "onnx.Trilu"(%y, %[[ROWS]])
// CHECK:     "onnx.Loop"(%[[ROWS]], %go, %y)
// CHECK:     "onnx.Loop"(%[[THREE]], %go, %y)
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, onnx.keep_extents} {
  func.func @main(%x: tensor<1x3xf32>, %y: tensor<2x2xf32>, %go: tensor<i1>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x2x2xf32>) {
    %shape = "onnx.Shape"(%x) : (tensor<1x3xf32>) -> tensor<2xi64>
    %one = nn.constant #nn.dense<1 : tensor<i64>>
    %rows = "onnx.Gather"(%shape, %one) <{axis = 0 : i64}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    %a = "onnx.Trilu"(%y, %rows) <{upper = 1 : i64}> : (tensor<2x2xf32>, tensor<i64>) -> tensor<2x2xf32>
    %b = "onnx.Loop"(%rows, %go, %y) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%i: tensor<i64>, %c: tensor<i1>, %old: tensor<2x2xf32>):
      %new = "onnx.Neg"(%old) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      "onnx.yield"(%c, %new) : (tensor<i1>, tensor<2x2xf32>) -> ()
    }) : (tensor<i64>, tensor<i1>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %d, %e = "onnx.Loop"(%rows, %go, %y) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
    ^bb0(%i: tensor<i64>, %c: tensor<i1>, %old: tensor<2x2xf32>):
      %new = "onnx.Neg"(%old) : (tensor<2x2xf32>) -> tensor<2x2xf32>
      "onnx.yield"(%c, %new, %new) : (tensor<i1>, tensor<2x2xf32>, tensor<2x2xf32>) -> ()
    }) : (tensor<i64>, tensor<i1>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<3x2x2xf32>)
    func.return %a, %b, %e : tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x2x2xf32>
  }
}
