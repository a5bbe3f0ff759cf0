// RUN: autodeploy-opt %s --form-kernels --mark-open-axes | filecheck %s

// Windows that are as many as strides in the extent: their pads are the most that there are, and how many elements stand
// before the image follows from what an extent leaves over the stride.

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 9>} {
  func.func @main(%x: tensor<1x9x9x3xf32> {nn.open = array<i64: 0, 1, 1, 0>}, %w: tensor<8x3x3x3xf32>) -> tensor<1x2x2x8xf32> {
    %c = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, before_by_rest = [array<i64: 0, 1>, array<i64: 0, 1>], layout = #nn<layout channels_last>} : (tensor<1x9x9x3xf32>, tensor<8x3x3x3xf32>) -> tensor<1x5x5x8xf32>
    %p = nn.max_pool %c {window = array<i64: 4, 4>, strides = array<i64: 3, 3>, pads = array<i64: 2, 2, 1, 1>, dilations = array<i64: 1, 1>, before_by_rest = [array<i64: 1, 2, 1>, array<i64: 1, 2, 1>], layout = #nn<layout channels_last>} : (tensor<1x5x5x8xf32>) -> tensor<1x2x2x8xf32>
    func.return %p : tensor<1x2x2x8xf32>
  }
}

// CHECK:      func.func @main({{.*}}) -> (tensor<1x2x2x8xf32> {nn.open = affine_map<(d0) -> (0, ((d0 + 5) floordiv 6), ((d0 + 5) floordiv 6), 0)>}) {
// CHECK:      nn.kernel(%x, %w) {open = [array<i64: 0, 1, 1, 0>, array<i64: 0, 0, 0, 0>, affine_map<(d0) -> (0, ((d0 + 1) floordiv 2), ((d0 + 1) floordiv 2), 0)>]}
