// RUN: autodeploy-opt %s --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Ops for which the first elements of the result do not follow from the first ones of the operands are refused,
// all at once, by reason.

// CHECK: extent 'n' cannot be open, as 5 nodes cannot have it
// CHECK-NEXT: 2 nodes 'valid', 'halved': its windows of 3 elements do not fit into the 1 that a run for 1 has along it
// CHECK-NEXT: node 'ceil': its windows of 2 elements do not fit into the 1 that a run for 1 has along it
// CHECK-NEXT: node 'norm': it joins or reads several places along it, or places that data says
// CHECK-NEXT: node 'channels': it adds up along it
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}, %image: tensor<1x8x5x5xf32> {nn.open = array<i64: 0, 1, 0, 0>}, %w: tensor<2x8x1x1xf32>, %s: tensor<8x6xf32>) -> (tensor<1x1x6x6xf32>, tensor<1x1x7x6xf32>, tensor<1x1x3x6xf32>, tensor<8x6xf32>, tensor<1x2x5x5xf32>) {
    %line = nn.reshape %x : (tensor<8x6xf32>) -> tensor<1x1x8x6xf32>
    %valid = nn.max_pool %line {window = array<i64: 3, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x8x6xf32>) -> tensor<1x1x6x6xf32>
    %ceil = nn.max_pool %line {window = array<i64: 2, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, ceil_mode = true} : (tensor<1x1x8x6xf32>) -> tensor<1x1x7x6xf32>
    %halved = nn.max_pool %line {window = array<i64: 3, 1>, strides = array<i64: 3, 1>, pads = array<i64: 0, 0, 1, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x8x6xf32>) -> tensor<1x1x3x6xf32>
    %norm = nn.layer_norm %x, %s {axis = 0 : i64, epsilon = 1.0e-05 : f64} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %channels = nn.conv %image, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x5x5xf32>, tensor<2x8x1x1xf32>) -> tensor<1x2x5x5xf32>
    func.return %valid, %ceil, %halved, %norm, %channels : tensor<1x1x6x6xf32>, tensor<1x1x7x6xf32>, tensor<1x1x3x6xf32>, tensor<8x6xf32>, tensor<1x2x5x5xf32>
  }
}

// -----

// CHECK: node 'joined': its parts do not say that they follow each other in each run
// CHECK-NEXT: 3 nodes 'mixed', 'inner', 'split': it brings it together with other axes
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) -> (tensor<16x6xf32>, tensor<3x16xf32>, tensor<48xf32>, tensor<6x2x4xf32>) {
    %joined = nn.concat %x, %x {axis = 0 : i64} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
    %mixed = nn.reshape %x : (tensor<8x6xf32>) -> tensor<3x16xf32>
    %t = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %inner = nn.reshape %t : (tensor<6x8xf32>) -> tensor<48xf32>
    %split = nn.reshape %t : (tensor<6x8xf32>) -> tensor<6x2x4xf32>
    func.return %joined, %mixed, %inner, %split : tensor<16x6xf32>, tensor<3x16xf32>, tensor<48xf32>, tensor<6x2x4xf32>
  }
}

// -----

// CHECK: 'product': its operands have it in several forms, 2 * n and n
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}, %y: tensor<4x8xf32> {nn.open = array<i64: 0, 1>}, %z: tensor<8x3xf32> {nn.open = array<i64: 2, 0>}) -> tensor<4x3xf32> {
    %product = nn.matmul %y, %z : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
    func.return %product : tensor<4x3xf32>
  }
}

// -----

// CHECK: extent 'n' cannot be open: by the shapes of the model result 0 grows by [1, 0], by its nodes by [0, 0]
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}, %w: tensor<8x6xf32>) -> (tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) {
    func.return %w : tensor<8x6xf32>
  }
}

// -----

// A slice takes what each run has, or is refused.

// CHECK: extent 'n' cannot be open, as 2 nodes cannot have it
// CHECK-NEXT: node 'beyond': it takes element 3 along it, counted from 0, where a run for 3 has 3
// CHECK-NEXT: node 'reversed': it joins or reads several places along it
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) -> (tensor<2x6xf32>, tensor<2x6xf32>, tensor<8x6xf32>) {
    %within = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 6>, steps = array<i64: 2, 1>} : (tensor<8x6xf32>) -> tensor<2x6xf32>
    %beyond = nn.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 2, 6>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<2x6xf32>
    %reversed = nn.slice %x {starts = array<i64: 7, 0>, sizes = array<i64: 8, 6>, steps = array<i64: -1, 1>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    func.return %within, %beyond, %reversed : tensor<2x6xf32>, tensor<2x6xf32>, tensor<8x6xf32>
  }
}

// -----

// What is rounded down and then repeated is no multiple of anything that windows may be counted by. Two ways may have
// extents that are equal for the ends of the range, and yet differ.

// CHECK: extent 'n' cannot be open, as 2 nodes cannot have it
// CHECK-NEXT: node 'moved': its windows are 1 apart along n / 2 * 2 elements, which are rounded down before they are repeated
// CHECK-NEXT: node 'sum': its operands have it in several forms, (n + 1) / 5 and n / 5
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 8 to 16>} {
  func.func @main(%x: tensor<1x1x16xf32> {nn.open = array<i64: 0, 0, 1>}) -> (tensor<1x1x15xf32>, tensor<1x1x3xf32>) {
    %half = nn.max_pool %x {window = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x1x16xf32>) -> tensor<1x1x8xf32>
    %r = nn.reshape %half : (tensor<1x1x8xf32>) -> tensor<8x1xf32>
    %w = nn.broadcast %r : (tensor<8x1xf32>) -> tensor<8x2xf32>
    %twice = nn.reshape %w : (tensor<8x2xf32>) -> tensor<1x1x16xf32>
    %moved = nn.max_pool %twice {window = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x1x16xf32>) -> tensor<1x1x15xf32>
    %five = nn.max_pool %x {window = array<i64: 5>, strides = array<i64: 5>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x1x16xf32>) -> tensor<1x1x3xf32>
    %four = nn.max_pool %x {window = array<i64: 4>, strides = array<i64: 5>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x1x16xf32>) -> tensor<1x1x3xf32>
    %sum = nn.add %five, %four : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    func.return %moved, %sum : tensor<1x1x15xf32>, tensor<1x1x3xf32>
  }
}
