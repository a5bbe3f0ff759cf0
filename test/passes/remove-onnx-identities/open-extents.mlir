// RUN: autodeploy-opt %s --remove-onnx-identities | filecheck %s

// Types have the largest number. An op that is idle there may not be for a smaller one, so it stays; an op that no shape
// makes idle goes.

// CHECK-LABEL: func.func @main
// CHECK-NOT: onnx.Identity
// CHECK-NOT: onnx.Cast
// CHECK: "onnx.Reshape"(%x, %to)
// CHECK: "onnx.Slice"(%x, %{{.*}}) <{
// CHECK: "onnx.Expand"(%x, %to)
// CHECK: "onnx.Tile"(%x, %ones)
// CHECK: func.return %x, %{{.*}}
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>) {
    %to = nn.constant #nn.dense<[8, 6] : tensor<2xi64>>
    %ones = nn.constant #nn.dense<[1, 1] : tensor<2xi64>>
    %first = nn.constant #nn.dense<0 : tensor<1xi64>>
    %end = nn.constant #nn.dense<8 : tensor<1xi64>>
    %0 = "onnx.Identity"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<8x6xf32>
    %1 = "onnx.Cast"(%0) <{to = 1 : i64}> : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %2 = "onnx.Reshape"(%x, %to) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<2xi64>) -> tensor<8x6xf32>
    %3 = "onnx.Slice"(%x, %first, %end) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1xi64>, tensor<1xi64>) -> tensor<8x6xf32>
    %4 = "onnx.Expand"(%x, %to) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<2xi64>) -> tensor<8x6xf32>
    %5 = "onnx.Tile"(%x, %ones) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<2xi64>) -> tensor<8x6xf32>
    func.return %1, %2, %3, %4, %5 : tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<8x6xf32>
  }
}
