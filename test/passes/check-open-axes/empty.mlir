// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A run may have no elements. Ops that only move or join elements, and those whose results have none then, compute none.
// The sum of none is 0.

// CHECK:      %moved = nn.transpose
// CHECK-NEXT: %negated = nn.neg
// CHECK:      %joined = nn.concat
// CHECK-NEXT: %total = nn.reduce
// CHECK-NEXT: func.return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>) -> (tensor<4x8xf32, #nn.extents<[4, d0], "n", 0 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>, tensor<9x4xf32, #nn.extents<[d0 + 1, 4], "n", 0 to 8>>, tensor<4xf32>) {
    %moved = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>) -> tensor<4x8xf32, #nn.extents<[4, d0], "n", 0 to 8>>
    %negated = nn.neg %x : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>) -> tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>
    %one = nn.constant #nn.dense<1.0 : tensor<1x4xf32>>
    %joined = nn.concat %x, %one {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>, tensor<1x4xf32>) -> tensor<9x4xf32, #nn.extents<[d0 + 1, 4], "n", 0 to 8>>
    %total = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0>, keepdims = false} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>) -> tensor<4xf32>
    func.return %moved, %negated, %joined, %total : tensor<4x8xf32, #nn.extents<[4, d0], "n", 0 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8>>, tensor<9x4xf32, #nn.extents<[d0 + 1, 4], "n", 0 to 8>>, tensor<4xf32>
  }
}

// -----

// CHECK: extent 'n' cannot be open, as 2 nodes cannot have it
// CHECK-NEXT: node 'none': it has no elements for 1; split the range, such as --dynamic n=1,2..8
// CHECK-NEXT: node 'largest': for some numbers it computes elements from none; split the range, such as --dynamic n=1,2..8
// CHECK-NOT: a part of one number
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> (tensor<7x4xf32, #nn.extents<[d0 - 1, 4], "n", 1 to 8>>, tensor<4xf32>) {
    %none = nn.slice %x {starts = array<i64: 1, 0>, sizes = #nn.extents<[d0 - 1, 4], "n", 1 to 8>, steps = array<i64: 1, 1>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> tensor<7x4xf32, #nn.extents<[d0 - 1, 4], "n", 1 to 8>>
    %largest = nn.reduce %none {kind = #nn<reduction max>, axes = array<i64: 0>, keepdims = false} : (tensor<7x4xf32, #nn.extents<[d0 - 1, 4], "n", 1 to 8>>) -> tensor<4xf32>
    func.return %none, %largest : tensor<7x4xf32, #nn.extents<[d0 - 1, 4], "n", 1 to 8>>, tensor<4xf32>
  }
}

// -----

// CHECK: it may have no elements; a range that begins with 1 has some
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8>} {
  func.func @main(%x: tensor<8xf32, #nn.extents<[d0], "n", 0 to 8>>, %h: tensor<f32>) -> tensor<f32> {
    %a = nn.for steps 8 from (%h) over (%x) with () {backwards = array<i64: 0>} : (tensor<f32>), (tensor<8xf32, #nn.extents<[d0], "n", 0 to 8>>), () -> (tensor<f32>) {
    ^bb0(%i: tensor<i64>, %state: tensor<f32>, %one: tensor<f32>):
      nn.yield %one : tensor<f32>
    }
    func.return %a : tensor<f32>
  }
}
