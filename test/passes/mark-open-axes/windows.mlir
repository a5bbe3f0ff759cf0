// RUN: autodeploy-opt %s --form-kernels --mark-open-axes | filecheck %s

// Windows that move by 2 make half as many elements as there are, if the padding is such. An input or output may have
// the extent along several axes.

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 5 to 16 by 4>} {
  func.func @main(%x: tensor<1x64x64x3xf32> {nn.open = array<i64: 0, 4, 4, 0>}, %w: tensor<8x3x7x7xf32>) -> tensor<1x16x16x8xf32> {
    %c = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x64x64x3xf32>, tensor<8x3x7x7xf32>) -> tensor<1x32x32x8xf32>
    %p = nn.max_pool %c {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x32x32x8xf32>) -> tensor<1x16x16x8xf32>
    func.return %p : tensor<1x16x16x8xf32>
  }
}

// CHECK:      func.func @main({{.*}}) -> (tensor<1x16x16x8xf32> {nn.open = array<i64: 0, 1, 1, 0>}) {
// CHECK:      nn.kernel(%x, %w) {open = [array<i64: 0, 4, 4, 0>, array<i64: 0, 0, 0, 0>, array<i64: 0, 2, 2, 0>]}
// CHECK:      nn.kernel(%{{.*}}) {open = [array<i64: 0, 2, 2, 0>, array<i64: 0, 1, 1, 0>]}
