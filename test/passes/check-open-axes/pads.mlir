// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Padding that differs between runs has a rule that a kernel computes: as many windows as strides in the extent.

// CHECK: nn.conv {{.*}} pads = array<i64: 1, 1>, {{.*}}, pads_by_remainder = [array<i64: 0, 1>]
// CHECK: nn.max_pool {{.*}} pads = array<i64: 1, 1>, dilations = array<i64: 1>} :
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 4 to 8>} {
  func.func @main(%x: tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>, %w: tensor<2x2x3xf32>) -> (tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>>, tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>>) {
    %upper = nn.conv %x, %w {strides = array<i64: 2>, pads = #nn.extents<[d0 - d0 / 2 * 2, 1], "n", 4 to 8>, dilations = array<i64: 1>} : (tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>, tensor<2x2x3xf32>) -> tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>>
    %lower = nn.max_pool %x {window = array<i64: 3>, strides = array<i64: 2>, pads = #nn.extents<[1, d0 - d0 / 2 * 2], "n", 4 to 8>, dilations = array<i64: 1>} : (tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>) -> tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>>
    func.return %upper, %lower : tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>>, tensor<1x2x4xf32, #nn.extents<[1, 2, (d0 + 1) / 2], "n", 4 to 8>>
  }
}

// -----

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'other': its padding follows from the number in another way than as windows need it
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 4 to 8>} {
  func.func @main(%x: tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>, %w: tensor<2x2x3xf32>) -> tensor<1x2x11xf32, #nn.extents<[1, 2, 2 * d0 - 5], "n", 4 to 8>> {
    %other = nn.conv %x, %w {strides = array<i64: 1>, pads = #nn.extents<[d0 - 4, 1], "n", 4 to 8>, dilations = array<i64: 1>} : (tensor<1x2x8xf32, #nn.extents<[1, 2, d0], "n", 4 to 8>>, tensor<2x2x3xf32>) -> tensor<1x2x11xf32, #nn.extents<[1, 2, 2 * d0 - 5], "n", 4 to 8>>
    func.return %other : tensor<1x2x11xf32, #nn.extents<[1, 2, 2 * d0 - 5], "n", 4 to 8>>
  }
}

// -----

// CHECK: node 'closed': its padding follows from the number, and its operand does not
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 4 to 8>} {
  func.func @main(%n: tensor<8xf32, #nn.extents<[d0], "n", 4 to 8>>, %x: tensor<1x2x8xf32>, %w: tensor<2x2x3xf32>) -> (tensor<8xf32, #nn.extents<[d0], "n", 4 to 8>>, tensor<1x2x10xf32, #nn.extents<[1, 2, d0 + 2], "n", 4 to 8>>) {
    %closed = nn.conv %x, %w {strides = array<i64: 1>, pads = #nn.extents<[d0 - 4, 0], "n", 4 to 8>, dilations = array<i64: 1>} : (tensor<1x2x8xf32>, tensor<2x2x3xf32>) -> tensor<1x2x10xf32, #nn.extents<[1, 2, d0 + 2], "n", 4 to 8>>
    func.return %n, %closed : tensor<8xf32, #nn.extents<[d0], "n", 4 to 8>>, tensor<1x2x10xf32, #nn.extents<[1, 2, d0 + 2], "n", 4 to 8>>
  }
}
