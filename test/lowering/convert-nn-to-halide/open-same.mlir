// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Where the first window begins follows from what the extent of a run leaves over the stride: 2 before the image where 1
// is left, 0 where none is, else 1.

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 9>} {
  func.func @main(%x: tensor<1x2x1x9xf32, #nn.extents<[1, 2, 1, d0], "n", 1 to 9>>) -> tensor<1x2x1x3xf32, #nn.extents<[1, 2, 1, (d0 + 3) / 4], "n", 1 to 9>> {
    %p = nn.max_pool %x {window = array<i64: 1, 5>, strides = array<i64: 1, 4>, pads = array<i64: 0, 2, 0, 2>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64>, array<i64: 0, 2, 1, 1>]} : (tensor<1x2x1x9xf32, #nn.extents<[1, 2, 1, d0], "n", 1 to 9>>) -> tensor<1x2x1x3xf32, #nn.extents<[1, 2, 1, (d0 + 3) / 4], "n", 1 to 9>>
    func.return %p : tensor<1x2x1x3xf32, #nn.extents<[1, 2, 1, (d0 + 3) / 4], "n", 1 to 9>>
  }
}

// CHECK:      %[[EXTENT:.*]] = halide.extent %in0 0
// CHECK-NEXT: %[[FOUR:.*]] = halide.const 4
// CHECK-NEXT: %[[REST:.*]] = halide.mod %[[EXTENT]], %[[FOUR]]
// CHECK-NEXT: %[[ONE:.*]] = halide.const 1
// CHECK-NEXT: %[[FEW:.*]] = halide.le %[[REST]], %[[ONE]]
// CHECK-NEXT: %[[TWO:.*]] = halide.const 2
// CHECK-NEXT: %[[SOME:.*]] = halide.select %[[FEW]], %[[TWO]], %[[ONE]]
// CHECK-NEXT: %[[ZERO:.*]] = halide.const 0
// CHECK-NEXT: %[[NONE:.*]] = halide.le %[[REST]], %[[ZERO]]
// CHECK-NEXT: %[[BEFORE:.*]] = halide.select %[[NONE]], %[[ZERO]], %[[SOME]]
// CHECK-NEXT: halide.sub %x, %[[BEFORE]]
