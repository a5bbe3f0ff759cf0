// RUN: autodeploy-opt %s --form-kernels | filecheck %s

// What joins open operands by rows of 64 bytes or more is left to the driver. Shorter rows are joined by a kernel, and
// so are rows within which an axis is open: those of a run do not lie together.

// CHECK:         %0 = nn.concat %x, %z {axis = 1 : i64, copied} : (tensor<2x8x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 8>>, tensor<2x1x16xf32>) -> tensor<2x9x16xf32, #nn.extents<[2, d0 + 1, 16], "n", 1 to 8>>
// CHECK-NEXT:    %1 = nn.kernel(%s, %t) : (tensor<2x8x15xf32, #nn.extents<[2, d0, 15], "n", 1 to 8>>, tensor<2x1x15xf32>) -> tensor<2x9x15xf32, #nn.extents<[2, d0 + 1, 15], "n", 1 to 8>> {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      %2 = nn.concat %s_1, %t_1 {axis = 1 : i64}
// CHECK:         %2 = nn.kernel(%w) : (tensor<2x8x4x8xf32, #nn.extents<[2, d0, 4, d0], "n", 1 to 8>>) -> tensor<2x16x4x8xf32, #nn.extents<[2, 2 * d0, 4, d0], "n", 1 to 8>> {
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      %3 = nn.concat %w_1, %w_1 {axis = 1 : i64}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(
    %x: tensor<2x8x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 8>>, %z: tensor<2x1x16xf32>,
    %s: tensor<2x8x15xf32, #nn.extents<[2, d0, 15], "n", 1 to 8>>, %t: tensor<2x1x15xf32>,
    %w: tensor<2x8x4x8xf32, #nn.extents<[2, d0, 4, d0], "n", 1 to 8>>
  ) -> (tensor<2x9x16xf32, #nn.extents<[2, d0 + 1, 16], "n", 1 to 8>>, tensor<2x9x15xf32, #nn.extents<[2, d0 + 1, 15], "n", 1 to 8>>, tensor<2x16x4x8xf32, #nn.extents<[2, 2 * d0, 4, d0], "n", 1 to 8>>) {
    %0 = nn.concat %x, %z {axis = 1} : (tensor<2x8x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 8>>, tensor<2x1x16xf32>) -> tensor<2x9x16xf32, #nn.extents<[2, d0 + 1, 16], "n", 1 to 8>>
    %1 = nn.concat %s, %t {axis = 1} : (tensor<2x8x15xf32, #nn.extents<[2, d0, 15], "n", 1 to 8>>, tensor<2x1x15xf32>) -> tensor<2x9x15xf32, #nn.extents<[2, d0 + 1, 15], "n", 1 to 8>>
    %2 = nn.concat %w, %w {axis = 1} : (tensor<2x8x4x8xf32, #nn.extents<[2, d0, 4, d0], "n", 1 to 8>>, tensor<2x8x4x8xf32, #nn.extents<[2, d0, 4, d0], "n", 1 to 8>>) -> tensor<2x16x4x8xf32, #nn.extents<[2, 2 * d0, 4, d0], "n", 1 to 8>>
    func.return %0, %1, %2 : tensor<2x9x16xf32, #nn.extents<[2, d0 + 1, 16], "n", 1 to 8>>, tensor<2x9x15xf32, #nn.extents<[2, d0 + 1, 15], "n", 1 to 8>>, tensor<2x16x4x8xf32, #nn.extents<[2, 2 * d0, 4, d0], "n", 1 to 8>>
  }
}
