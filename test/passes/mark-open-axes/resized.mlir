// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Places of a resize may follow from the extents of a run: the size that it makes grows as the op says. Another
// tensor brings a number that those of the operand do not say.

// CHECK: func.func @main({{.*}}) -> (tensor<1x7xf32> {nn.open = array<i64: 0, 1>}, tensor<1x7xf32> {nn.open = array<i64: 0, 1>})
// CHECK: %up = nn.kernel(%half, %x) {open = [affine_map<(d0) -> (0, ((d0 + 1) floordiv 2))>, array<i64: 0, 1>, array<i64: 0, 1>]}
// CHECK: %wide = nn.kernel(%one, %x) {open = [array<i64: 0, 0>, array<i64: 0, 1>, array<i64: 0, 1>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 7>} {
  func.func @main(%x: tensor<1x7xf32> {nn.open = array<i64: 0, 1>}, %half: tensor<1x4xf32> {nn.open = affine_map<(n) -> (0, (n + 1) floordiv 2)>}, %one: tensor<1x1xf32>) -> (tensor<1x7xf32>, tensor<1x7xf32>) {
    %up = nn.resize %half, %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 3>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 6>, places = [#nn<places constant>, #nn<places align_corners>], growths = [affine_map<(n) -> (0, (n + 1) floordiv 2)>, array<i64: 0, 1>]} : (tensor<1x4xf32>, tensor<1x7xf32>) -> tensor<1x7xf32>
    %wide = nn.resize %one, %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, -3>, denominators = array<i64: 1, 7>, places = [#nn<places constant>, #nn<places half_pixel>], growths = [array<i64: 0, 0>, array<i64: 0, 1>]} : (tensor<1x1xf32>, tensor<1x7xf32>) -> tensor<1x7xf32>
    func.return %up, %wide : tensor<1x7xf32>, tensor<1x7xf32>
  }
}

// -----

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'other': no operand brings the numbers by which its places follow
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 7>} {
  func.func @main(%x: tensor<1x7xf32> {nn.open = array<i64: 0, 1>}) -> tensor<1x7xf32> {
    %other = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 3>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 6>, places = [#nn<places constant>, #nn<places align_corners>], growths = [affine_map<(n) -> (0, (n + 1) floordiv 2)>, array<i64: 0, 1>]} : (tensor<1x7xf32>) -> tensor<1x7xf32>
    func.return %other : tensor<1x7xf32>
  }
}
