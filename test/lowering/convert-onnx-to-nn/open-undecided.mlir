// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn --split-input-file --verify-diagnostics | filecheck %s

// A question whose answer differs between numbers is refused with the node, the question and a way to split the range.
// Here PyTorch's squeeze(0) has another rank for a single row.

// CHECK: Squeeze-25 node without a name, with output 'then' on f32: 1..8 == 1 holds for 1, not for 2; split the range, such as --dynamic n=1,2..8
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<*xf32> {
    %zero = nn.constant #nn.dense<0 : tensor<1xi64>>
    %one = nn.constant #nn.dense<1 : tensor<1xi64>>
    %rows = "onnx.Shape"(%x) <{start = 0 : i64, end = 1 : i64}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<1xi64>
    %single = "onnx.Equal"(%rows, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %squeezed = "onnx.If"(%single) ({
      "onnx.yield"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> ()
    }, {
      %then = "onnx.Squeeze"(%x, %zero) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1xi64>) -> tensor<*xf32>
      "onnx.yield"(%then) : (tensor<*xf32>) -> ()
    }) : (tensor<1xi1>) -> tensor<*xf32>
    func.return %squeezed : tensor<*xf32>
  }
}

// -----

// All such nodes are listed at once.

// CHECK: the model has 2 nodes that cannot be converted
// CHECK-NEXT: Add-14 {{.*}} 'sum' {{.*}}: 1..8 == 4 holds for 4, not for 1; split the range, such as --dynamic n=1..3,4,5..8
// CHECK-NEXT: Reshape-25 {{.*}} 'four' {{.*}} holds for 2, not for 1; split the range, such as --dynamic n=1,2,3,4,5,6,7,8
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, %y: tensor<4x6xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
    %to = nn.constant #nn.dense<[4, -1] : tensor<2xi64>>
    %four = "onnx.Reshape"(%x, %to) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<2xi64>) -> tensor<*xf32>
    %sum = "onnx.Add"(%x, %y) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<4x6xf32>) -> tensor<*xf32>
    func.return %four, %sum : tensor<*xf32>, tensor<*xf32>
  }
}

// -----

// Two numbers of the same range are not the same number.

// CHECK: Add-14 {{.*}} 'sum' {{.*}}: 1..8 == 1..8 holds for h 1, w 1, not for h 1, w 2; split the range, such as --dynamic h=1,2
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"h", 1 to 8, "w", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "h", 1 to 8, "w", 1 to 8>>, %y: tensor<8x6xf32, #nn.extents<[d1, 6], "h", 1 to 8, "w", 1 to 8>>) -> tensor<*xf32> {
    %sum = "onnx.Add"(%x, %y) : (tensor<8x6xf32, #nn.extents<[d0, 6], "h", 1 to 8, "w", 1 to 8>>, tensor<8x6xf32, #nn.extents<[d1, 6], "h", 1 to 8, "w", 1 to 8>>) -> tensor<*xf32>
    func.return %sum : tensor<*xf32>
  }
}

// -----

// A shape that an input with an open extent decides: no value of the input is the same in all runs, so none is asked for.

// CHECK: Reshape-25 {{.*}} 'y' on f32: input 'shape' must be a constant, found a result of nn.neg
// CHECK-NOT: --value
// CHECK: a part of one number has no open extent: --dynamic n=1,2,3,4,5,6,7,8
builtin.module attributes {onnx.opset = {ai.onnx = 25 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<6xf32>, %i: tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>> {nn.name = "i"}) -> tensor<*xf32> {
    %s = "onnx.Neg"(%i) : (tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<*xi64>
    %y = "onnx.Reshape"(%x, %s) : (tensor<6xf32>, tensor<*xi64>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}
