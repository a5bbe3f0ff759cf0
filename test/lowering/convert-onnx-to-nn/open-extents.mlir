// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn --split-input-file | filecheck %s

// Types have the extents of a run as their encoding. A Reshape to computed extents has those, too.

// CHECK: func.func @reshape(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>)
// CHECK-NEXT: nn.reshape %x : {{.*}} -> tensor<8x2x3xf32, #nn.extents<[d0, 2, 3], "n", 1 to 8>>
// CHECK-NEXT: nn.reshape %x : {{.*}} -> tensor<48xf32, #nn.extents<[6 * d0], "n", 1 to 8>>
// CHECK-NEXT: func.return
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @reshape(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> (tensor<*xf32>, tensor<*xf32>) {
    %zero = nn.constant #nn.dense<0 : tensor<i64>>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %two = nn.constant #nn.dense<2 : tensor<1xi64>>
    %rest = nn.constant #nn.dense<-1 : tensor<1xi64>>
    %shape = "onnx.Shape"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<2xi64>
    %rows = "onnx.Gather"(%shape, %zero) <{axis = 0 : i64}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    %list = "onnx.Unsqueeze"(%rows, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %to = "onnx.Concat"(%list, %two, %rest) <{axis = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
    %y = "onnx.Reshape"(%x, %to) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<3xi64>) -> tensor<*xf32>
    %z = "onnx.Reshape"(%x, %rest) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1xi64>) -> tensor<*xf32>
    func.return %y, %z : tensor<*xf32>, tensor<*xf32>
  }
}

// -----

// A slice is counted from the end of each run: the last two rows are at n - 2.

// CHECK: func.func @slice
// CHECK-NEXT: nn.slice %x {starts = #nn.extents<[d0 - 2, 0], "n", 2 to 8>, sizes = array<i64: 2, 6>, steps = array<i64: 1, 1>} : {{.*}} -> tensor<2x6xf32>
// CHECK-NEXT: nn.slice %x {starts = array<i64: 1, 0>, sizes = #nn.extents<[d0 - 1, 6], "n", 2 to 8>, steps = array<i64: 1, 1>} : {{.*}} -> tensor<7x6xf32, #nn.extents<[d0 - 1, 6], "n", 2 to 8>>
// CHECK-NEXT: nn.slice %x {starts = array<i64: 0, 0>, sizes = #nn.extents<[d0 / 2, 6], "n", 2 to 8>, steps = array<i64: 1, 1>} : {{.*}} -> tensor<4x6xf32, #nn.extents<[d0 / 2, 6], "n", 2 to 8>>
// CHECK-NEXT: func.return
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 2 to 8>} {
  func.func @slice(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 2 to 8>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
    %two = nn.constant #nn.dense<-2 : tensor<1xi64>>
    %one = nn.constant #nn.dense<1 : tensor<1xi64>>
    %half = nn.constant #nn.dense<2 : tensor<1xi64>>
    %end = nn.constant #nn.dense<9223372036854775807 : tensor<1xi64>>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %y = "onnx.Slice"(%x, %two, %end, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 2 to 8>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %z = "onnx.Slice"(%x, %one, %end, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 2 to 8>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %rows = "onnx.Shape"(%x) <{start = 0 : i64, end = 1 : i64}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 2 to 8>>) -> tensor<1xi64>
    %middle = "onnx.Div"(%rows, %half) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %w = "onnx.Slice"(%x, %axes, %middle, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 2 to 8>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    func.return %y, %z, %w : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  }
}

// -----

// Equal elements and ranges of an open length are the first elements of a constant; a number that is read as data is
// asked for.

// CHECK: func.func @lengths
// CHECK: %[[ZEROS:.*]] = nn.slice %{{.*}} {{.*}} : (tensor<8xf32>) -> tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>
// CHECK: nn.max %x, %[[ZEROS]]
// CHECK: %[[ALL:.*]] = nn.constant #nn.dense<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi64>>
// CHECK: nn.slice %[[ALL]] {{.*}} : (tensor<8xi64>) -> tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>
// CHECK: %[[ROWS:.*]] = nn.extent %x {axis = 0 : i64}
// CHECK: nn.add %y, %[[ROWS]]
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @lengths(%x: tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, %y: tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>) -> (tensor<*xf32>, tensor<*xi64>, tensor<*xi64>) {
    %zero = nn.constant #nn.dense<0 : tensor<i64>>
    %one = nn.constant #nn.dense<1 : tensor<i64>>
    %shape = "onnx.Shape"(%x) : (tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<1xi64>
    %rows = "onnx.Gather"(%shape, %zero) <{axis = 0 : i64}> : (tensor<1xi64>, tensor<i64>) -> tensor<i64>
    %zeros = "onnx.ConstantOfShape"(%shape) : (tensor<1xi64>) -> tensor<*xf32>
    %a = "onnx.Max"(%x, %zeros) : (tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, tensor<*xf32>) -> tensor<*xf32>
    %places = "onnx.Range"(%zero, %rows, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<*xi64>
    %b = "onnx.Mul"(%y, %places) : (tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>, tensor<*xi64>) -> tensor<*xi64>
    %c = "onnx.Add"(%y, %rows) : (tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>, tensor<i64>) -> tensor<*xi64>
    func.return %a, %b, %c : tensor<*xf32>, tensor<*xi64>, tensor<*xi64>
  }
}

// -----

// A number of another form is looked up in a row for each number of the range, from the least on.

// CHECK: func.func @table
// CHECK: %[[ROWS:.*]] = nn.extent %x {axis = 0 : i64}
// CHECK: %[[LEAST:.*]] = nn.constant #nn.dense<-1 : tensor<i64>>
// CHECK: %[[PLACE:.*]] = nn.add %[[ROWS]], %[[LEAST]]
// CHECK: %[[TABLE:.*]] = nn.constant #nn.dense<[1, 4, 4, 1, 0, 1, 4, 4] : tensor<8x1xi64>>
// CHECK: %[[REST:.*]] = nn.gather %[[TABLE]], %[[PLACE]] {axis = 0 : i64}
// CHECK: nn.add %x, %[[REST]]
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @table(%x: tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<*xi64> {
    %zero = nn.constant #nn.dense<0 : tensor<i64>>
    %shape = "onnx.Shape"(%x) : (tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>) -> tensor<1xi64>
    %square = "onnx.Mul"(%shape, %shape) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %five = nn.constant #nn.dense<5 : tensor<i64>>
    %rest = "onnx.Mod"(%square, %five) : (tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
    %a = "onnx.Add"(%x, %rest) : (tensor<8xi64, #nn.extents<[d0], "n", 1 to 8>>, tensor<1xi64>) -> tensor<*xi64>
    func.return %a : tensor<*xi64>
  }
}
