// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// What is taken, joined and padded at the end that a run has of an open axis.

// CHECK: func.func @main({{.*}}) -> (tensor<1x4xf32>, tensor<6x4xf32> {nn.open = affine_map<(d0) -> ((d0 + -2), 0)>}, tensor<19x4xf32> {nn.open = affine_map<(d0) -> (((d0 * 2) + 3), 0)>}, tensor<11x4xf32> {nn.open = affine_map<(d0) -> ((d0 + 3), 0)>}) {
// CHECK: %last = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 0, 0>]}
// CHECK: %tail = nn.kernel(%x) {open = [array<i64: 1, 0>, affine_map<(d0) -> ((d0 + -2), 0)>]}
// CHECK: %joined = nn.kernel(%x, %w) {open = [array<i64: 1, 0>, array<i64: 0, 0>, affine_map<(d0) -> (((d0 * 2) + 3), 0)>]}
// CHECK: %padded = nn.kernel(%x) {open = [array<i64: 1, 0>, affine_map<(d0) -> ((d0 + 3), 0)>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x4xf32> {nn.open = array<i64: 1, 0>}, %w: tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<6x4xf32>, tensor<19x4xf32>, tensor<11x4xf32>) {
    %last = nn.slice %x {starts = array<i64: 7, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>, growths = [affine_map<(n) -> (n - 1, 0)>, array<i64: 0, 0>]} : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %tail = nn.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 6, 4>, steps = array<i64: 1, 1>, growths = [array<i64: 0, 0>, affine_map<(n) -> (n - 2, 0)>]} : (tensor<8x4xf32>) -> tensor<6x4xf32>
    %joined = nn.concat %x, %w, %x {axis = 0 : i64, ended} : (tensor<8x4xf32>, tensor<3x4xf32>, tensor<8x4xf32>) -> tensor<19x4xf32>
    %padded = nn.pad %x {pads = array<i64: 1, 0, 2, 0>} : (tensor<8x4xf32>) -> tensor<11x4xf32>
    func.return %last, %tail, %joined, %padded : tensor<1x4xf32>, tensor<6x4xf32>, tensor<19x4xf32>, tensor<11x4xf32>
  }
}

// -----

// CHECK: extent 'n', 'm' cannot be open, as 2 nodes cannot have it
// CHECK-NEXT: node 'closed': its places follow from the number, and its operand does not
// CHECK-NEXT: node 'joined': it joins parts of n, m / 2 elements, whose sum has no form that is known
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8, "m", 1 to 5>} {
  func.func @main(%x: tensor<8x4xf32> {nn.open = array<i64: 1, 0>}, %y: tensor<2x4xf32> {nn.open = affine_map<(n, m) -> (m floordiv 2, 0)>}, %w: tensor<8x4xf32>) -> (tensor<1x4xf32>, tensor<10x4xf32>) {
    %closed = nn.slice %w {starts = array<i64: 7, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>, growths = [affine_map<(n) -> (n - 1, 0)>, array<i64: 0, 0>]} : (tensor<8x4xf32>) -> tensor<1x4xf32>
    %joined = nn.concat %x, %y {axis = 0 : i64, ended} : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>
    func.return %closed, %joined : tensor<1x4xf32>, tensor<10x4xf32>
  }
}
