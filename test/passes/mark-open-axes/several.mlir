// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Height and width may be numbers of their own; each axis grows with one of them.

// CHECK:      func.func @main({{.*}}) -> (tensor<1x2x4x3xf32> {nn.open = affine_map<(d0, d1) -> (0, 0, d0, (d1 floordiv 2))>}) {
// CHECK:      nn.kernel(%x) {open = [affine_map<(d0, d1) -> (0, 0, d0, d1)>, affine_map<(d0, d1) -> (0, 0, d0, (d1 floordiv 2))>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"height", 1 to 4, "width", 2 to 6>} {
  func.func @main(%x: tensor<1x2x4x6xf32> {nn.open = affine_map<(h, w) -> (0, 0, h, w)>}) -> tensor<1x2x4x3xf32> {
    %p = nn.max_pool %x {window = array<i64: 1, 2>, strides = array<i64: 1, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x3xf32>
    func.return %p : tensor<1x2x4x3xf32>
  }
}

// -----

// Extents of two numbers do not come together, and rows of both are not joined.

// CHECK: extent 'height', 'width' cannot be open, as 2 nodes cannot have it
// CHECK-NEXT: node 'sum': its operands have it in several forms, height and width
// CHECK-NEXT: node 'rows': it brings it together with other axes
builtin.module attributes {nn.open_extent = #nn.open_extent<"height", 1 to 4, "width", 2 to 4>} {
  func.func @main(%x: tensor<4x4xf32> {nn.open = affine_map<(h, w) -> (h, w)>}) -> (tensor<4x4xf32>, tensor<16xf32>) {
    %t = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %sum = nn.add %x, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %rows = nn.reshape %x : (tensor<4x4xf32>) -> tensor<16xf32>
    func.return %sum, %rows : tensor<4x4xf32>, tensor<16xf32>
  }
}

// -----

// CHECK: an extent grows with number 1, but there is 'n'
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 4>} {
  func.func @main(%x: tensor<4xf32> {nn.open = affine_map<(n, m) -> (m)>}) -> tensor<4xf32> {
    func.return %x : tensor<4xf32>
  }
}
