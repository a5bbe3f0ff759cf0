// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A loop over the rows of an open axis has a step for each that a run has, and rows of its results are as many. What it
// carries has the open axes that it gets in a step, also where it begins with a constant.

// CHECK: func.func @main({{.*}}) -> (tensor<3x4xf32> {nn.open = affine_map<(d0, d1) -> (d1, 0)>}, tensor<8x3x4xf32> {nn.open = affine_map<(d0, d1) -> (d0, d1, 0)>}) {
// CHECK: nn.for steps 8 open array<i64: 1> from
// CHECK: nn.kernel(%state, %row) {open = [affine_map<(d0, d1) -> (d1, 0)>, affine_map<(d0, d1) -> (d1, 0)>, affine_map<(d0, d1) -> (d1, 0)>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 3>} {
  func.func @main(%x: tensor<8x3x4xf32> {nn.open = affine_map<(n, m) -> (n, m, 0)>}, %h: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<8x3x4xf32>) {
    %a, %y = nn.for steps 8 from (%h) over (%x) with () {backwards = array<i64: 1, 1>} : (tensor<3x4xf32>), (tensor<8x3x4xf32>), () -> (tensor<3x4xf32>, tensor<8x3x4xf32>) {
    ^bb0(%i: tensor<i64>, %state: tensor<3x4xf32>, %row: tensor<3x4xf32>):
      %sum = nn.add %state, %row : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
      nn.yield %sum, %sum : tensor<3x4xf32>, tensor<3x4xf32>
    }
    func.return %a, %y : tensor<3x4xf32>, tensor<8x3x4xf32>
  }
}

// -----

// CHECK: its operands have it in several forms, m and n
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 8>} {
  func.func @main(%x: tensor<8xf32> {nn.open = array<i64: 1>}, %z: tensor<8xf32> {nn.open = affine_map<(n, m) -> (m)>}, %h: tensor<f32>) -> tensor<f32> {
    %a = nn.for steps 8 from (%h) over (%x, %z) with () {backwards = array<i64: 0, 0>} : (tensor<f32>), (tensor<8xf32>, tensor<8xf32>), () -> (tensor<f32>) {
    ^bb0(%i: tensor<i64>, %state: tensor<f32>, %one: tensor<f32>, %other: tensor<f32>):
      nn.yield %one : tensor<f32>
    }
    func.return %a : tensor<f32>
  }
}

// -----

// A loop that reads no row of an open axis says itself how its steps follow from the number. So do the rows that it makes.

// CHECK: func.func @main({{.*}}) -> (tensor<4xf32> {nn.open = affine_map<(d0) -> ((d0 + 1))>}) {
// CHECK: nn.for steps 4 open affine_map<(d0) -> ((d0 + 1))> from
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 3>} {
  func.func @main(%x: tensor<3xf32> {nn.open = array<i64: 1>}, %h: tensor<f32>) -> tensor<4xf32> {
    %a, %y = nn.for steps 4 open affine_map<(n) -> (n + 1)> from (%h) over () with () {backwards = array<i64: 0>} : (tensor<f32>), (), () -> (tensor<f32>, tensor<4xf32>) {
    ^bb0(%i: tensor<i64>, %state: tensor<f32>):
      %sine = nn.sin %state : (tensor<f32>) -> tensor<f32>
      nn.yield %sine, %sine : tensor<f32>, tensor<f32>
    }
    func.return %y : tensor<4xf32>
  }
}
