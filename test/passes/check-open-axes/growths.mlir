// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn --check-open-axes --split-input-file | filecheck %s

// Kernels know the extents that ONNX's operators give their results. The first elements of a constant, as many as a run
// has, are a constant.

// CHECK:      func.func @main(%x: tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>) -> (tensor<2x6xf32>, tensor<7x6xf32, #nn.extents<[2 * d0 - 1, 6], "n", 1 to 4 by 2>>, tensor<4x6xf32, #nn.extents<[d0, 6], "n", 1 to 4 by 2>>, tensor<15x6xf32, #nn.extents<[4 * d0 - 1, 6], "n", 1 to 4 by 2>>, tensor<6x8xf32, #nn.extents<[6, 2 * d0], "n", 1 to 4 by 2>>) {
// CHECK-NEXT: nn.slice %x {starts = #nn.extents<[2 * d0 - 2, 0], "n", 1 to 4 by 2>, sizes = array<i64: 2, 6>
// CHECK-NEXT: %[[BUT:.*]] = nn.slice %x {starts = array<i64: 1, 0>, sizes = #nn.extents<[2 * d0 - 1, 6], "n", 1 to 4 by 2>
// CHECK-NEXT: nn.slice %x {starts = array<i64: 0, 0>, sizes = #nn.extents<[d0, 6], "n", 1 to 4 by 2>
// CHECK-NEXT: nn.concat %x, %[[BUT]] {axis = 0 : i64}
// CHECK-NEXT: %[[ZEROS:.*]] = nn.constant #nn.dense<0.0 : tensor<8xf32, #nn.extents<[2 * d0], "n", 1 to 4 by 2>>>
// CHECK-NEXT: %[[T:.*]] = nn.transpose %x
// CHECK-NEXT: nn.max %[[T]], %[[ZEROS]] :
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 4 by 2>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
    %two = nn.constant #nn.dense<-2 : tensor<1xi64>>
    %one = nn.constant #nn.dense<1 : tensor<1xi64>>
    %half = nn.constant #nn.dense<2 : tensor<1xi64>>
    %end = nn.constant #nn.dense<9223372036854775807 : tensor<1xi64>>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %last = "onnx.Slice"(%x, %two, %end, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %but = "onnx.Slice"(%x, %one, %end, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %rows = "onnx.Shape"(%x) <{start = 0 : i64, end = 1 : i64}> : (tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>) -> tensor<1xi64>
    %middle = "onnx.Div"(%rows, %half) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %first = "onnx.Slice"(%x, %axes, %middle, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %twice = "onnx.Concat"(%x, %but) <{axis = 0 : i64}> : (tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>, tensor<*xf32>) -> tensor<*xf32>
    %zeros = "onnx.ConstantOfShape"(%rows) : (tensor<1xi64>) -> tensor<*xf32>
    %t = "onnx.Transpose"(%x) : (tensor<8x6xf32, #nn.extents<[2 * d0, 6], "n", 1 to 4 by 2>>) -> tensor<*xf32>
    %a = "onnx.Max"(%t, %zeros) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    func.return %last, %but, %first, %twice, %a : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  }
}

// -----

// An extent may be the product of two numbers.

// CHECK: nn.reshape %x : (tensor<4x8x6xf32, #nn.extents<[d0, d1, 6], "h", 1 to 4, "w", 1 to 8>>) -> tensor<32x6xf32, #nn.extents<[d0 * d1, 6], "h", 1 to 4, "w", 1 to 8>>

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"h", 1 to 4, "w", 1 to 8>} {
  func.func @main(%x: tensor<4x8x6xf32, #nn.extents<[d0, d1, 6], "h", 1 to 4, "w", 1 to 8>>) -> tensor<*xf32> {
    %to = nn.constant #nn.dense<[-1, 6] : tensor<2xi64>>
    %y = "onnx.Reshape"(%x, %to) : (tensor<4x8x6xf32, #nn.extents<[d0, d1, 6], "h", 1 to 4, "w", 1 to 8>>, tensor<2xi64>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}

// -----

// How many elements are before the image depends on the remainder of its extent by the stride.

// CHECK: -> tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>> {
// CHECK: nn.conv {{.*}} pads = array<i64: 1, 1>, {{.*}}, pads_by_remainder = [array<i64: 0, 1>]}

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 4 to 8>} {
  func.func @main(%x: tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>) -> tensor<*xf32> {
    %w = nn.constant #nn.dense<1.0 : tensor<2x2x3xf32>>
    %y = "onnx.Conv"(%x, %w) <{strides = array<i64: 2>, auto_pad = "SAME_UPPER"}> : (tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>, tensor<2x2x3xf32>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}
