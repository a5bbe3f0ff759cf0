// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Places of a resize may follow from the extents of a run. Another tensor brings a number that those of the operand do
// not say.

// CHECK: %up = nn.resize %half, %x {{.*}}numerators = array<i64: 1, 3>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 6>, {{.*}}places = [#nn<places constant>, #nn<places align_corners>]}
// CHECK: %wide = nn.resize %one, %x {{.*}}places = [#nn<places constant>, #nn<places half_pixel>]}
// CHECK: %same = nn.resize %x {{.*}}places = [#nn<places constant>, #nn<places asymmetric>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 7>} {
  func.func @main(%x: tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>, %half: tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 3 to 7>>, %one: tensor<1x1xf32>) -> (tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>, tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>, tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 3 to 7>>) {
    %up = nn.resize %half {interpolation = #nn<interpolation linear>, numerators = #nn.extents<[1, (d0 + 1) / 2 - 1], "n", 3 to 7>, offsets = array<i64: 0, 0>, denominators = #nn.extents<[1, d0 - 1], "n", 3 to 7>} : (tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 3 to 7>>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>
    %wide = nn.resize %one {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 2>, offsets = #nn.extents<[0, 1 - d0], "n", 3 to 7>, denominators = #nn.extents<[1, 2 * d0], "n", 3 to 7>} : (tensor<1x1xf32>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>
    %same = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = #nn.extents<[1, d0], "n", 3 to 7>, offsets = array<i64: 0, 0>, denominators = #nn.extents<[1, (d0 + 1) / 2], "n", 3 to 7>} : (tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>) -> tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 3 to 7>>
    func.return %up, %wide, %same : tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>, tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>, tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 3 to 7>>
  }
}

// -----

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'other': its places do not follow from its extents
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 7>} {
  func.func @main(%x: tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>> {
    %other = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = #nn.extents<[1, (d0 + 1) / 2 - 1], "n", 3 to 7>, offsets = array<i64: 0, 0>, denominators = #nn.extents<[1, d0 - 1], "n", 3 to 7>} : (tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>
    func.return %other : tensor<1x7xf32, #nn.extents<[1, d0], "n", 3 to 7>>
  }
}
