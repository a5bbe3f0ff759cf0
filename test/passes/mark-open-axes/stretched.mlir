// RUN: autodeploy-opt %s --form-kernels --mark-open-axes --split-input-file | autodeploy-opt --split-input-file | filecheck %s

// Images that are halved, and made larger again: by a transposed convolution to twice the half, by a resize to three times.
// A resize to a quarter rounds down. The place of an element of a resize is a step times its own, the step says how many.

// CHECK: func.func @main({{.*}}) -> (tensor<1x14x14x4xf32> {nn.open = affine_map<(d0) -> (0, ((d0 floordiv 2) * 2), ((d0 floordiv 2) * 2), 0)>}, tensor<1x21x7x4xf32> {nn.open = affine_map<(d0) -> (0, ((d0 floordiv 2) * 3), (d0 floordiv 2), 0)>}, tensor<1x3x15x4xf32> {nn.open = affine_map<(d0) -> (0, (d0 floordiv 4), d0, 0)>}) {
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 6 to 15>} {
  func.func @main(%x: tensor<1x15x15x4xf32> {nn.open = array<i64: 0, 1, 1, 0>}, %w: tensor<2x2x4x4xf32>) -> (tensor<1x14x14x4xf32>, tensor<1x21x7x4xf32>, tensor<1x3x15x4xf32>) {
    %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x15x15x4xf32>) -> tensor<1x7x7x4xf32>
    %t = nn.conv_transpose %p, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x7x7x4xf32>, tensor<2x2x4x4xf32>) -> tensor<1x14x14x4xf32>
    %r = nn.resize %p {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 3, 1, 1>} : (tensor<1x7x7x4xf32>) -> tensor<1x21x7x4xf32>
    %s = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 8, 1, 1>, offsets = array<i64: 0, 3, 0, 0>, denominators = array<i64: 1, 2, 1, 1>} : (tensor<1x15x15x4xf32>) -> tensor<1x3x15x4xf32>
    func.return %t, %r, %s : tensor<1x14x14x4xf32>, tensor<1x21x7x4xf32>, tensor<1x3x15x4xf32>
  }
}
