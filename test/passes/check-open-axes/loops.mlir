// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A loop over the rows of an open axis has a step for each that a run has, and rows of its results are as many.

// CHECK: nn.for steps 8 open array<i64: 1> from
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 3>} {
  func.func @main(%x: tensor<8x3x4xf32, #nn.extents<[d0, d1, 4], "n", 1 to 8, "m", 1 to 3>>, %h: tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>) -> (tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>, tensor<8x3x4xf32, #nn.extents<[d0, d1, 4], "n", 1 to 8, "m", 1 to 3>>) {
    %a, %y = nn.for steps 8 from (%h) over (%x) with () {backwards = array<i64: 1, 1>} : (tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>), (tensor<8x3x4xf32, #nn.extents<[d0, d1, 4], "n", 1 to 8, "m", 1 to 3>>), () -> (tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>, tensor<8x3x4xf32, #nn.extents<[d0, d1, 4], "n", 1 to 8, "m", 1 to 3>>) {
    ^bb0(%i: tensor<i64>, %state: tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>, %row: tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>):
      %sum = nn.add %state, %row : (tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>, tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>) -> tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>
      nn.yield %sum, %sum : tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>, tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>
    }
    func.return %a, %y : tensor<3x4xf32, #nn.extents<[d1, 4], "n", 1 to 8, "m", 1 to 3>>, tensor<8x3x4xf32, #nn.extents<[d0, d1, 4], "n", 1 to 8, "m", 1 to 3>>
  }
}

// -----

// CHECK: it has another number of steps than its operands have rows
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 8>} {
  func.func @main(%x: tensor<8xf32, #nn.extents<[d0], "n", 1 to 8, "m", 1 to 8>>, %z: tensor<8xf32, #nn.extents<[d1], "n", 1 to 8, "m", 1 to 8>>, %h: tensor<f32>) -> tensor<f32> {
    %a = nn.for steps 8 from (%h) over (%x, %z) with () {backwards = array<i64: 0, 0>} : (tensor<f32>), (tensor<8xf32, #nn.extents<[d0], "n", 1 to 8, "m", 1 to 8>>, tensor<8xf32, #nn.extents<[d1], "n", 1 to 8, "m", 1 to 8>>), () -> (tensor<f32>) {
    ^bb0(%i: tensor<i64>, %state: tensor<f32>, %one: tensor<f32>, %other: tensor<f32>):
      nn.yield %one : tensor<f32>
    }
    func.return %a : tensor<f32>
  }
}

// -----

// CHECK: it has another number of steps than its operands have rows
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, %z: tensor<8xf32>, %h: tensor<f32>) -> tensor<f32> {
    %a = nn.for steps 8 from (%h) over (%x, %z) with () {backwards = array<i64: 0, 0>} : (tensor<f32>), (tensor<8xf32, #nn.extents<[d0], "n", 1 to 8>>, tensor<8xf32>), () -> (tensor<f32>) {
    ^bb0(%i: tensor<i64>, %state: tensor<f32>, %one: tensor<f32>, %other: tensor<f32>):
      nn.yield %one : tensor<f32>
    }
    func.return %a : tensor<f32>
  }
}

// -----

// A loop that reads no row of an open axis has as many steps as the rows that it makes.

// CHECK: nn.for steps 4 open affine_map<(d0) -> ((d0 + 1))> from
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 3>} {
  func.func @main(%x: tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>, %h: tensor<f32>) -> tensor<4xf32, #nn.extents<[d0 + 1], "n", 1 to 3>> {
    %a, %y = nn.for steps 4 from (%h) over () with () {backwards = array<i64: 0>} : (tensor<f32>), (), () -> (tensor<f32>, tensor<4xf32, #nn.extents<[d0 + 1], "n", 1 to 3>>) {
    ^bb0(%i: tensor<i64>, %state: tensor<f32>):
      %sine = nn.sin %state : (tensor<f32>) -> tensor<f32>
      nn.yield %sine, %sine : tensor<f32>, tensor<f32>
    }
    func.return %y : tensor<4xf32, #nn.extents<[d0 + 1], "n", 1 to 3>>
  }
}
