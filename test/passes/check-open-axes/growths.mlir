// RUN: autodeploy-opt %s --fold-onnx-constants --convert-onnx-to-nn --check-open-axes --split-input-file | filecheck %s

// The extents of types become the largest ones, and properties say how places and results grow. It is one pipeline from
// ONNX's operators on, as extents are not parsed.

// CHECK-NOT: nn.extents
// CHECK: func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 2, 0>}) -> (tensor<2x6xf32> {nn.open = array<i64: 0, 0>}, tensor<7x6xf32> {nn.open = affine_map<(d0) -> (((d0 * 2) + -1), 0)>}, tensor<4x6xf32> {nn.open = array<i64: 1, 0>}, tensor<15x6xf32> {nn.open = affine_map<(d0) -> (((d0 * 4) + -1), 0)>}, tensor<6x8xf32> {nn.open = array<i64: 0, 2>}) {
// CHECK-NEXT: nn.slice %x {starts = array<i64: 6, 0>, {{.*}}, growths = [affine_map<(d0) -> (((d0 * 2) + -2), 0)>, array<i64: 0, 0>]}
// CHECK-NEXT: %[[BUT:.*]] = nn.slice %x {starts = array<i64: 1, 0>, {{.*}}, growths = [array<i64: 0, 0>, affine_map<(d0) -> (((d0 * 2) + -1), 0)>]}
// CHECK-NEXT: nn.slice %x {starts = array<i64: 0, 0>, {{.*}}, growths = [array<i64: 0, 0>, array<i64: 1, 0>]}
// CHECK-NEXT: nn.concat %x, %[[BUT]] {axis = 0 : i64, ended}
// CHECK-NEXT: %[[ZEROS:.*]] = nn.constant #nn.dense<0.0 : tensor<8xf32>>
// CHECK-NEXT: %[[T:.*]] = nn.transpose %x
// CHECK-NEXT: nn.max %[[T]], %[[ZEROS]] : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 4 by 2>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 2, 0>}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
    %two = nn.constant #nn.dense<-2 : tensor<1xi64>>
    %one = nn.constant #nn.dense<1 : tensor<1xi64>>
    %half = nn.constant #nn.dense<2 : tensor<1xi64>>
    %end = nn.constant #nn.dense<9223372036854775807 : tensor<1xi64>>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %last = "onnx.Slice"(%x, %two, %end, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %but = "onnx.Slice"(%x, %one, %end, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %rows = "onnx.Shape"(%x) <{start = 0 : i64, end = 1 : i64}> : (tensor<8x6xf32>) -> tensor<1xi64>
    %middle = "onnx.Div"(%rows, %half) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %first = "onnx.Slice"(%x, %axes, %middle, %axes) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<8x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<*xf32>
    %twice = "onnx.Concat"(%x, %but) <{axis = 0 : i64}> : (tensor<8x6xf32>, tensor<*xf32>) -> tensor<*xf32>
    %zeros = "onnx.ConstantOfShape"(%rows) : (tensor<1xi64>) -> tensor<*xf32>
    %t = "onnx.Transpose"(%x) : (tensor<8x6xf32>) -> tensor<*xf32>
    %a = "onnx.Max"(%t, %zeros) : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    func.return %last, %but, %first, %twice, %a : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
  }
}

// -----

// The product of two numbers has a map for each.

// CHECK: -> (tensor<32x6xf32> {nn.open = #nn.products<[affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1, 1)>]>})
// CHECK-NEXT: nn.reshape %x {growths = [affine_map<(d0, d1) -> (d0, d1, 0)>, #nn.products<[affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1, 1)>]>]}

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"h", 1 to 4, "w", 1 to 8>} {
  func.func @main(%x: tensor<4x8x6xf32> {nn.open = affine_map<(h, w) -> (h, w, 0)>}) -> tensor<*xf32> {
    %to = nn.constant #nn.dense<[-1, 6] : tensor<2xi64>>
    %y = "onnx.Reshape"(%x, %to) : (tensor<4x8x6xf32>, tensor<2xi64>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}

// -----

// How many elements are before the image depends on the remainder of its extent by the stride.

// CHECK: -> (tensor<1x2x4xf32> {nn.open = affine_map<(d0) -> (0, 0, ((d0 + 1) floordiv 2))>})
// CHECK: nn.conv {{.*}} pads = array<i64: 1, 1>, {{.*}}, before_by_rest = [array<i64: 0, 1>]}

builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 4 to 8>} {
  func.func @main(%x: tensor<1x2x8xf32> {nn.open = array<i64: 0, 0, 1>}) -> tensor<*xf32> {
    %w = nn.constant #nn.dense<1.0 : tensor<2x2x3xf32>>
    %y = "onnx.Conv"(%x, %w) <{strides = array<i64: 2>, auto_pad = "SAME_UPPER"}> : (tensor<1x2x8xf32>, tensor<2x2x3xf32>) -> tensor<*xf32>
    func.return %y : tensor<*xf32>
  }
}
