// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// What is joined of two open extents has the sum of their numbers, and so has what reads it.

// CHECK: func.func @main({{.*}}) -> (tensor<13x4xf32> {nn.open = affine_map<(d0, d1) -> ((d0 + d1), 0)>}, tensor<13x4xf32> {nn.open = affine_map<(d0, d1) -> ((d0 + d1), 0)>}, tensor<i64>) {
// CHECK: %joined = nn.kernel(%x, %y) {open = [array<i64: 1, 0>, affine_map<(d0, d1) -> (d1, 0)>, affine_map<(d0, d1) -> ((d0 + d1), 0)>]}
// CHECK: %sum = nn.kernel(%joined, %z) {open = [affine_map<(d0, d1) -> ((d0 + d1), 0)>, affine_map<(d0, d1) -> ((d0 + d1), 0)>, affine_map<(d0, d1) -> ((d0 + d1), 0)>]}
// CHECK: %rows = nn.kernel(%z) {open = [affine_map<(d0, d1) -> ((d0 + d1), 0)>, array<i64>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8, "m", 1 to 5>} {
  func.func @main(%x: tensor<8x4xf32> {nn.open = array<i64: 1, 0>}, %y: tensor<5x4xf32> {nn.open = affine_map<(n, m) -> (m, 0)>}, %z: tensor<13x4xf32> {nn.open = affine_map<(n, m) -> (n + m, 0)>}) -> (tensor<13x4xf32>, tensor<13x4xf32>, tensor<i64>) {
    %joined = nn.concat %x, %y {axis = 0 : i64, ended} : (tensor<8x4xf32>, tensor<5x4xf32>) -> tensor<13x4xf32>
    %sum = nn.add %joined, %z : (tensor<13x4xf32>, tensor<13x4xf32>) -> tensor<13x4xf32>
    %rows = nn.extent %z {axis = 0 : i64} : (tensor<13x4xf32>) -> tensor<i64>
    func.return %joined, %sum, %rows : tensor<13x4xf32>, tensor<13x4xf32>, tensor<i64>
  }
}

// -----

// CHECK: extent 'n', 'm' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'sum': its operands have it in several forms, n + 5 and n + m
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8, "m", 1 to 5>} {
  func.func @main(%x: tensor<13x4xf32> {nn.open = affine_map<(n, m) -> (n + 5, 0)>}, %z: tensor<13x4xf32> {nn.open = affine_map<(n, m) -> (n + m, 0)>}) -> tensor<13x4xf32> {
    %sum = nn.add %x, %z : (tensor<13x4xf32>, tensor<13x4xf32>) -> tensor<13x4xf32>
    func.return %sum : tensor<13x4xf32>
  }
}
