// RUN: autodeploy-opt %s --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A call of the library may have fewer rows where it says so.

// CHECK: func.func @main(%x: tensor<8x4xf64> {nn.open = array<i64: 1, 0>}, %w: tensor<3xf64>) -> (tensor<8x2xf64> {nn.open = array<i64: 1, 0>})
builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf64> {nn.open = array<i64: 1, 0>}, %w: tensor<3xf64>) -> tensor<8x2xf64> {
    %y = nn.library_call "trees"(%x, %w) {rows} : (tensor<8x4xf64>, tensor<3xf64>) -> tensor<8x2xf64>
    func.return %y : tensor<8x2xf64>
  }
}

// -----

// CHECK: node 'y': it reads several places along it
builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf64> {nn.open = array<i64: 1, 0>}, %w: tensor<8xf64> {nn.open = array<i64: 1>}) -> tensor<8x2xf64> {
    %y = nn.library_call "trees"(%x, %w) {rows} : (tensor<8x4xf64>, tensor<8xf64>) -> tensor<8x2xf64>
    func.return %y : tensor<8x2xf64>
  }
}
