// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// An op whose lowering cannot end at the number of a run is refused by its node.

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'g': it joins or reads several places along it, or places that data says
// CHECK-NEXT: a part of one number has no open extent: --dynamic n=1,2,3,4,5,6,7,8
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<*xf32> {
    %places = nn.constant #nn.dense<[0, 0] : tensor<2xi64>>
    %g = "onnx.Gather"(%x, %places) <{axis = 0 : i64}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<2xi64>) -> tensor<*xf32>
    func.return %g : tensor<*xf32>
  }
}

// -----

// A number that no input says is not known in a run.

// CHECK: extent 'm' cannot be open: no extent of an input depends on it

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8, "m", 1 to 8>>) -> tensor<*xf32> {
    %y = "onnx.Neg"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8, "m", 1 to 8>>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}

// -----

// ONNX leaves the mean of no elements undefined.

// CHECK: node 'y': for some numbers it computes elements from none

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 0 to 8>>) -> tensor<*xf32> {
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %y = "onnx.ReduceMean"(%x, %axes) <{keepdims = 0 : i64}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 0 to 8>>, tensor<1xi64>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}

// -----

// All such ops are listed at once, by reason.

// CHECK: extent 'n' cannot be open, as 3 nodes cannot have it
// CHECK-NEXT: 3 nodes 'norm', 'zeroth', 'seventh': it joins or reads several places along it, or places that data says
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1x6xf32>, tensor<1x6xf32>) {
    %norm = nn.layer_norm %x, %x {axis = 0 : i64, epsilon = 1.0e-05 : f64} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>
    %zero = nn.constant #nn.dense<[0] : tensor<1xi64>>
    %zeroth = nn.gather %x, %zero {axis = 0 : i64} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1xi64>) -> tensor<1x6xf32>
    %seven = nn.constant #nn.dense<[7] : tensor<1xi64>>
    %seventh = nn.gather %x, %seven {axis = 0 : i64} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1xi64>) -> tensor<1x6xf32>
    func.return %norm, %zeroth, %seventh : tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1x6xf32>, tensor<1x6xf32>
  }
}

// -----

// A caller that has several elements in a byte knows another number.

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: input 0 has several elements in a byte
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 4>} {
  func.func @main(%x: tensor<4xui8, #nn.extents<[d0], "n", 1 to 4>> {nn.stored = tensor<8xi4>}) -> tensor<4xui8, #nn.extents<[d0], "n", 1 to 4>> {
    func.return %x : tensor<4xui8, #nn.extents<[d0], "n", 1 to 4>>
  }
}

// -----

// A type names a number that the module does not have.

// CHECK: its extents depend on numbers of other ranges
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8xf32, #nn.extents<[d1], "m", 1 to 4, "n", 1 to 8>>) -> tensor<8xf32, #nn.extents<[d1], "m", 1 to 4, "n", 1 to 8>> {
    %y = nn.neg %x : (tensor<8xf32, #nn.extents<[d1], "m", 1 to 4, "n", 1 to 8>>) -> tensor<8xf32, #nn.extents<[d1], "m", 1 to 4, "n", 1 to 8>>
    func.return %y : tensor<8xf32, #nn.extents<[d1], "m", 1 to 4, "n", 1 to 8>>
  }
}
