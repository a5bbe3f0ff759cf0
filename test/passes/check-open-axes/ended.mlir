// RUN: autodeploy-opt %s --check-open-axes --split-input-file | filecheck %s

// No operand says where a run ends in a value that is computed from constants alone. An op that takes account of that end
// reads such a value with an input that says it, unless another operand does. One that takes no account of it needs none:
// the first elements are those of a run.

// CHECK:      %c = nn.constant
// CHECK-NEXT: %[[ENDED:.*]] = nn.ended %c, %x : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>
// CHECK-NEXT: %sum = nn.reduce %[[ENDED]]
// CHECK:      %[[ALSO:.*]] = nn.ended %c, %x
// CHECK-NEXT: %behind = nn.concat %[[ALSO]], %one
// CHECK-NEXT: %joined = nn.concat %c, %x
// CHECK-NEXT: %added = nn.add %x, %c :
// CHECK-NEXT: %scaled = nn.mul %c, %c :
// CHECK-NEXT: func.return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> (tensor<4xf32>, tensor<9x4xf32, #nn.extents<[d0 + 1, 4], "n", 1 to 8>>, tensor<16x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) {
    %c = nn.constant #nn.dense<0.5 : tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>>
    %sum = nn.reduce %c {kind = #nn<reduction sum>, axes = array<i64: 0>, keepdims = false} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> tensor<4xf32>
    %one = nn.constant #nn.dense<1.0 : tensor<1x4xf32>>
    %behind = nn.concat %c, %one {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<1x4xf32>) -> tensor<9x4xf32, #nn.extents<[d0 + 1, 4], "n", 1 to 8>>
    %joined = nn.concat %c, %x {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> tensor<16x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 8>>
    %added = nn.add %x, %c : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>
    %scaled = nn.mul %c, %c : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>
    func.return %sum, %behind, %joined, %added, %scaled : tensor<4xf32>, tensor<9x4xf32, #nn.extents<[d0 + 1, 4], "n", 1 to 8>>, tensor<16x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>
  }
}

// -----

// The smallest input is read that says a number; several where a value grows with several.

// CHECK: nn.ended %c, %z, %y :
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 4>} {
  func.func @main(%x: tensor<8x64xf32, #nn.extents<[d0, 64], "n", 1 to 8, "m", 1 to 4>>, %y: tensor<8xf32, #nn.extents<[d0], "n", 1 to 8, "m", 1 to 4>>, %z: tensor<4xf32, #nn.extents<[d1], "n", 1 to 8, "m", 1 to 4>>) -> (tensor<8x64xf32, #nn.extents<[d0, 64], "n", 1 to 8, "m", 1 to 4>>, tensor<f32>, tensor<8xf32, #nn.extents<[d0], "n", 1 to 8, "m", 1 to 4>>, tensor<4xf32, #nn.extents<[d1], "n", 1 to 8, "m", 1 to 4>>) {
    %c = nn.constant #nn.dense<0.5 : tensor<8x4xf32, #nn.extents<[d0, d1], "n", 1 to 8, "m", 1 to 4>>>
    %sum = nn.reduce %c {kind = #nn<reduction sum>, axes = array<i64: 0, 1>, keepdims = false} : (tensor<8x4xf32, #nn.extents<[d0, d1], "n", 1 to 8, "m", 1 to 4>>) -> tensor<f32>
    func.return %x, %sum, %y, %z : tensor<8x64xf32, #nn.extents<[d0, 64], "n", 1 to 8, "m", 1 to 4>>, tensor<f32>, tensor<8xf32, #nn.extents<[d0], "n", 1 to 8, "m", 1 to 4>>, tensor<4xf32, #nn.extents<[d1], "n", 1 to 8, "m", 1 to 4>>
  }
}

// -----

// The first elements of a constant are a constant for a run; the last ones are a slice of it.

// CHECK:      nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] : tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>>
// CHECK-NEXT: func.return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>) -> (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>) {
    %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] : tensor<9xf32>>
    %first = nn.slice %c {starts = array<i64: 0>, sizes = #nn.extents<[d0], "n", 1 to 8>, steps = array<i64: 1>} : (tensor<9xf32>) -> tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>
    func.return %x, %first : tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>
  }
}
