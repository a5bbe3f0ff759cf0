// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A reshape that joins open axes says how those of its result grow: by a product of two numbers, or by a multiple of
// one. The inputs of the function bring the numbers by which one takes them apart.

// CHECK: func.func @main({{.*}}) -> (tensor<24x2xf32> {nn.open = #nn.products<[affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1, 1)>]>}, tensor<4x6x2xf32> {nn.open = affine_map<(d0, d1) -> (d0, d1, 0)>})
// CHECK: %rows = nn.kernel(%x) {open = [affine_map<(d0, d1) -> (d0, d1, 0)>, #nn.products<[affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1, 1)>]>]}
// CHECK: %apart = nn.kernel(%more, %x) {open = [#nn.products<{{.*}}>, affine_map<(d0, d1) -> (d0, d1, 0)>, affine_map<(d0, d1) -> (d0, d1, 0)>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"b", 1 to 4, "n", 2 to 6>} {
  func.func @main(%x: tensor<4x6x2xf32> {nn.open = affine_map<(b, n) -> (b, n, 0)>}) -> (tensor<24x2xf32>, tensor<4x6x2xf32>) {
    %rows = nn.reshape %x {growths = [affine_map<(b, n) -> (b, n, 0)>, #nn.products<[affine_map<(b, n) -> (b, 0)>, affine_map<(b, n) -> (n, 1)>]>]} : (tensor<4x6x2xf32>) -> tensor<24x2xf32>
    %more = nn.neg %rows : (tensor<24x2xf32>) -> tensor<24x2xf32>
    %apart = nn.reshape %more, %x {growths = [#nn.products<[affine_map<(b, n) -> (b, 0)>, affine_map<(b, n) -> (n, 1)>]>, affine_map<(b, n) -> (b, n, 0)>]} : (tensor<24x2xf32>, tensor<4x6x2xf32>) -> tensor<4x6x2xf32>
    func.return %rows, %apart : tensor<24x2xf32>, tensor<4x6x2xf32>
  }
}

// -----

// CHECK: %rows = nn.kernel(%x) {open = [array<i64: 0, 1, 0>, array<i64: 3, 0>]}
// CHECK: %split = nn.reshape %x : (tensor<3x6x2xf32>) -> tensor<3x6x1x2xf32>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 6>} {
  func.func @main(%x: tensor<3x6x2xf32> {nn.open = affine_map<(n) -> (0, n, 0)>}) -> (tensor<18x2xf32>, tensor<3x6x1x2xf32>) {
    %rows = nn.reshape %x {growths = [affine_map<(n) -> (0, n, 0)>, array<i64: 3, 0>]} : (tensor<3x6x2xf32>) -> tensor<18x2xf32>
    %split = nn.reshape %x : (tensor<3x6x2xf32>) -> tensor<3x6x1x2xf32>
    func.return %rows, %split : tensor<18x2xf32>, tensor<3x6x1x2xf32>
  }
}

// -----

// CHECK: extent 'b', 'n' cannot be open, as 3 nodes cannot have it
// CHECK-NEXT: 2 nodes 'silent', 'other': it brings it together with other axes
// CHECK-NEXT: node 'apart': no operand brings the numbers by which it takes axes apart
builtin.module attributes {nn.open_extent = #nn.open_extent<"b", 1 to 4, "n", 2 to 6>} {
  func.func @main(%x: tensor<4x6x2xf32> {nn.open = affine_map<(b, n) -> (b, n, 0)>}) -> (tensor<24x2xf32>, tensor<24x2xf32>, tensor<4x6x2xf32>) {
    %silent = nn.reshape %x : (tensor<4x6x2xf32>) -> tensor<24x2xf32>
    %other = nn.reshape %x {growths = [affine_map<(b, n) -> (0, n, 0)>, affine_map<(b, n) -> (4 * n, 0)>]} : (tensor<4x6x2xf32>) -> tensor<24x2xf32>
    %rows = nn.reshape %x {growths = [affine_map<(b, n) -> (b, n, 0)>, #nn.products<[affine_map<(b, n) -> (b, 0)>, affine_map<(b, n) -> (n, 1)>]>]} : (tensor<4x6x2xf32>) -> tensor<24x2xf32>
    %apart = nn.reshape %rows {growths = [#nn.products<[affine_map<(b, n) -> (b, 0)>, affine_map<(b, n) -> (n, 1)>]>, affine_map<(b, n) -> (b, n, 0)>]} : (tensor<24x2xf32>) -> tensor<4x6x2xf32>
    func.return %silent, %other, %apart : tensor<24x2xf32>, tensor<24x2xf32>, tensor<4x6x2xf32>
  }
}
