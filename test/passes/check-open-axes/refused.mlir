// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// An op whose lowering cannot end at the number of a run is refused by its node.

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'g': it joins or reads several places along it, or places that data says
// CHECK-NEXT: a part of one number has no open extent: --dynamic n=1,2,3,4,5,6,7,8
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) -> tensor<*xf32> {
    %places = nn.constant #nn.dense<[0, 0] : tensor<2xi64>>
    %g = "onnx.Gather"(%x, %places) <{axis = 0 : i64}> : (tensor<8x6xf32>, tensor<2xi64>) -> tensor<*xf32>
    func.return %g : tensor<*xf32>
  }
}

// -----

// A number that no input says is not known in a run.

// CHECK: extent 'm' cannot be open: no extent of an input depends on it

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = affine_map<(n, m) -> (n, 0)>}) -> tensor<*xf32> {
    %y = "onnx.Neg"(%x) : (tensor<8x6xf32>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}

// -----

// ONNX leaves the mean of no elements undefined.

// CHECK: node 'y': for some numbers it computes elements from none

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) -> tensor<*xf32> {
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %y = "onnx.ReduceMean"(%x, %axes) <{keepdims = 0 : i64}> : (tensor<8x6xf32>, tensor<1xi64>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}
