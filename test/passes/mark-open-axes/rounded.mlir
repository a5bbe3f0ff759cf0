// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file | autodeploy-opt --split-input-file | filecheck %s

// Windows that leave elements over: their number is rounded down, again and again. What is beside each other has
// the same extents, whichever way it was made.

// CHECK:      func.func @main({{.*}}) -> (tensor<1x7x7x16xf32> {nn.open = affine_map<(d0) -> (0, ((d0 + -1) floordiv 4), ((d0 + -2) floordiv 4), 0)>}) {
// CHECK:      nn.kernel(%x) {open = [array<i64: 0, 1, 1, 0>, affine_map<(d0) -> (0, ((d0 + -1) floordiv 2), (d0 floordiv 2), 0)>]}
// CHECK:      nn.max_pool
// CHECK:      nn.kernel(%{{.*}}) {open = [affine_map<(d0) -> (0, ((d0 + -1) floordiv 2), (d0 floordiv 2), 0)>, affine_map<(d0) -> (0, ((d0 + -1) floordiv 4), ((d0 + -2) floordiv 4), 0)>]}
// CHECK:      nn.kernel(%x) {open = [array<i64: 0, 1, 1, 0>, affine_map<(d0) -> (0, ((d0 + -1) floordiv 4), ((d0 + -2) floordiv 4), 0)>]}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 9 to 30>} {
  func.func @main(%x: tensor<1x30x30x8xf32> {nn.open = array<i64: 0, 1, 1, 0>}) -> tensor<1x7x7x16xf32> {
    %p = nn.max_pool %x {window = array<i64: 3, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x30x30x8xf32>) -> tensor<1x14x15x8xf32>
    %q = nn.max_pool %p {window = array<i64: 2, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x14x15x8xf32>) -> tensor<1x7x7x8xf32>
    %r = nn.average_pool %x {window = array<i64: 3, 2>, strides = array<i64: 4, 4>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 5>, layout = #nn<layout channels_last>} : (tensor<1x30x30x8xf32>) -> tensor<1x7x7x8xf32>
    %c = nn.concat %q, %r {axis = 3 : i64} : (tensor<1x7x7x8xf32>, tensor<1x7x7x8xf32>) -> tensor<1x7x7x16xf32>
    func.return %c : tensor<1x7x7x16xf32>
  }
}

// -----

// A step that makes all extents even leaves nothing to round. Rows may be joined with what follows them.

// CHECK: func.func @main({{.*}}) -> (tensor<93xf32> {nn.open = affine_map<(d0) -> (((d0 * 12) + -3))>}) {
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 8 by 16>} {
  func.func @main(%x: tensor<1x128x3xf32> {nn.open = array<i64: 0, 16, 0>}) -> tensor<93xf32> {
    %p = nn.max_pool %x {window = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #nn<layout channels_last>} : (tensor<1x128x3xf32>) -> tensor<1x63x3xf32>
    %q = nn.max_pool %p {window = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #nn<layout channels_last>} : (tensor<1x63x3xf32>) -> tensor<1x31x3xf32>
    %r = nn.reshape %q : (tensor<1x31x3xf32>) -> tensor<93xf32>
    func.return %r : tensor<93xf32>
  }
}

// -----

// What is rounded down to the same for all numbers of the range is no open extent.

// CHECK: func.func @main({{.*}}) -> tensor<1x2x2xf32> {
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 8 to 11>} {
  func.func @main(%x: tensor<1x2x11xf32> {nn.open = array<i64: 0, 0, 1>}) -> tensor<1x2x2xf32> {
    %p = nn.max_pool %x {window = array<i64: 4>, strides = array<i64: 4>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x2x11xf32>) -> tensor<1x2x2xf32>
    func.return %p : tensor<1x2x2xf32>
  }
}
