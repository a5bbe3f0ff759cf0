// RUN: autodeploy-opt %s --check-open-axes --split-input-file | filecheck %s

// Windows that move by 2 make half as many elements as there are, if the padding is such. An input or output may have
// the extent along several axes.

// CHECK:      func.func @main
// CHECK-NEXT: nn.conv
// CHECK-NEXT: nn.max_pool
// CHECK-NEXT: func.return {{.*}} : tensor<1x16x16x8xf32, #nn.extents<[1, d0, d0, 8], "size", 5 to 16 by 4>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 5 to 16 by 4>} {
  func.func @main(%x: tensor<1x64x64x3xf32, #nn.extents<[1, 4 * d0, 4 * d0, 3], "size", 5 to 16 by 4>>, %w: tensor<8x3x7x7xf32>) -> tensor<1x16x16x8xf32, #nn.extents<[1, d0, d0, 8], "size", 5 to 16 by 4>> {
    %c = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x64x64x3xf32, #nn.extents<[1, 4 * d0, 4 * d0, 3], "size", 5 to 16 by 4>>, tensor<8x3x7x7xf32>) -> tensor<1x32x32x8xf32, #nn.extents<[1, 2 * d0, 2 * d0, 8], "size", 5 to 16 by 4>>
    %p = nn.max_pool %c {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x32x32x8xf32, #nn.extents<[1, 2 * d0, 2 * d0, 8], "size", 5 to 16 by 4>>) -> tensor<1x16x16x8xf32, #nn.extents<[1, d0, d0, 8], "size", 5 to 16 by 4>>
    func.return %p : tensor<1x16x16x8xf32, #nn.extents<[1, d0, d0, 8], "size", 5 to 16 by 4>>
  }
}

// -----

// Windows that leave elements over: their number is rounded down, again and again. Joined images
// have the same extents, whichever way they were made.

// CHECK: func.return {{.*}} : tensor<1x7x7x16xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 16], "n", 9 to 30>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 9 to 30>} {
  func.func @main(%x: tensor<1x30x30x8xf32, #nn.extents<[1, d0, d0, 8], "n", 9 to 30>>) -> tensor<1x7x7x16xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 16], "n", 9 to 30>> {
    %p = nn.max_pool %x {window = array<i64: 3, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x30x30x8xf32, #nn.extents<[1, d0, d0, 8], "n", 9 to 30>>) -> tensor<1x14x15x8xf32, #nn.extents<[1, (d0 - 1) / 2, d0 / 2, 8], "n", 9 to 30>>
    %q = nn.max_pool %p {window = array<i64: 2, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x14x15x8xf32, #nn.extents<[1, (d0 - 1) / 2, d0 / 2, 8], "n", 9 to 30>>) -> tensor<1x7x7x8xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 8], "n", 9 to 30>>
    %r = nn.average_pool %x {window = array<i64: 3, 2>, strides = array<i64: 4, 4>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 5>, layout = #nn<layout channels_last>} : (tensor<1x30x30x8xf32, #nn.extents<[1, d0, d0, 8], "n", 9 to 30>>) -> tensor<1x7x7x8xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 8], "n", 9 to 30>>
    %c = nn.concat %q, %r {axis = 3 : i64} : (tensor<1x7x7x8xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 8], "n", 9 to 30>>, tensor<1x7x7x8xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 8], "n", 9 to 30>>) -> tensor<1x7x7x16xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 16], "n", 9 to 30>>
    func.return %c : tensor<1x7x7x16xf32, #nn.extents<[1, (d0 - 1) / 4, (d0 - 2) / 4, 16], "n", 9 to 30>>
  }
}

// -----

// A step that makes all extents even leaves nothing to round. A reshape may join rows with the axis that follows them.

// CHECK: func.return {{.*}} : tensor<93xf32, #nn.extents<[12 * d0 - 3], "n", 2 to 8 by 16>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 8 by 16>} {
  func.func @main(%x: tensor<1x128x3xf32, #nn.extents<[1, 16 * d0, 3], "n", 2 to 8 by 16>>) -> tensor<93xf32, #nn.extents<[12 * d0 - 3], "n", 2 to 8 by 16>> {
    %p = nn.max_pool %x {window = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #nn<layout channels_last>} : (tensor<1x128x3xf32, #nn.extents<[1, 16 * d0, 3], "n", 2 to 8 by 16>>) -> tensor<1x63x3xf32, #nn.extents<[1, 8 * d0 - 1, 3], "n", 2 to 8 by 16>>
    %q = nn.max_pool %p {window = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #nn<layout channels_last>} : (tensor<1x63x3xf32, #nn.extents<[1, 8 * d0 - 1, 3], "n", 2 to 8 by 16>>) -> tensor<1x31x3xf32, #nn.extents<[1, 4 * d0 - 1, 3], "n", 2 to 8 by 16>>
    %r = nn.reshape %q : (tensor<1x31x3xf32, #nn.extents<[1, 4 * d0 - 1, 3], "n", 2 to 8 by 16>>) -> tensor<93xf32, #nn.extents<[12 * d0 - 3], "n", 2 to 8 by 16>>
    func.return %r : tensor<93xf32, #nn.extents<[12 * d0 - 3], "n", 2 to 8 by 16>>
  }
}

// -----

// An extent that is rounded down to the same for all numbers of the range is constant.

// CHECK: func.return {{.*}} : tensor<1x2x2xf32>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 8 to 11>} {
  func.func @main(%x: tensor<1x2x11xf32, #nn.extents<[1, 2, d0], "n", 8 to 11>>) -> tensor<1x2x2xf32> {
    %p = nn.max_pool %x {window = array<i64: 4>, strides = array<i64: 4>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x2x11xf32, #nn.extents<[1, 2, d0], "n", 8 to 11>>) -> tensor<1x2x2xf32>
    func.return %p : tensor<1x2x2xf32>
  }
}

// -----

// Windows that are as many as strides in the extent: their pads are the most that there are, and how many elements stand
// before the image follows from the remainder of an extent by the stride.

// CHECK: nn.conv {{.*}} pads = array<i64: 1, 1, 1, 1>, {{.*}}, pads_by_remainder = [array<i64: 0, 1>, array<i64: 0, 1>]
// CHECK: nn.max_pool {{.*}} pads = array<i64: 2, 2, 1, 1>, {{.*}}, pads_by_remainder = [array<i64: 1, 2, 1>, array<i64: 1, 2, 1>]
// CHECK: func.return {{.*}} : tensor<1x2x2x8xf32, #nn.extents<[1, (d0 + 5) / 6, (d0 + 5) / 6, 8], "n", 1 to 9>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 9>} {
  func.func @main(%x: tensor<1x9x9x3xf32, #nn.extents<[1, d0, d0, 3], "n", 1 to 9>>, %w: tensor<8x3x3x3xf32>) -> tensor<1x2x2x8xf32, #nn.extents<[1, (d0 + 5) / 6, (d0 + 5) / 6, 8], "n", 1 to 9>> {
    %c = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: 0, 1>, array<i64: 0, 1>], layout = #nn<layout channels_last>} : (tensor<1x9x9x3xf32, #nn.extents<[1, d0, d0, 3], "n", 1 to 9>>, tensor<8x3x3x3xf32>) -> tensor<1x5x5x8xf32, #nn.extents<[1, (d0 + 1) / 2, (d0 + 1) / 2, 8], "n", 1 to 9>>
    %p = nn.max_pool %c {window = array<i64: 4, 4>, strides = array<i64: 3, 3>, pads = array<i64: 2, 2, 1, 1>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: 1, 2, 1>, array<i64: 1, 2, 1>], layout = #nn<layout channels_last>} : (tensor<1x5x5x8xf32, #nn.extents<[1, (d0 + 1) / 2, (d0 + 1) / 2, 8], "n", 1 to 9>>) -> tensor<1x2x2x8xf32, #nn.extents<[1, (d0 + 5) / 6, (d0 + 5) / 6, 8], "n", 1 to 9>>
    func.return %p : tensor<1x2x2x8xf32, #nn.extents<[1, (d0 + 5) / 6, (d0 + 5) / 6, 8], "n", 1 to 9>>
  }
}

// -----

// Height and width may be numbers of their own; each axis grows with one of them.

// CHECK: func.return {{.*}} : tensor<1x2x4x3xf32, #nn.extents<[1, 2, d0, d1 / 2], "height", 1 to 4, "width", 2 to 6>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"height", 1 to 4, "width", 2 to 6>} {
  func.func @main(%x: tensor<1x2x4x6xf32, #nn.extents<[1, 2, d0, d1], "height", 1 to 4, "width", 2 to 6>>) -> tensor<1x2x4x3xf32, #nn.extents<[1, 2, d0, d1 / 2], "height", 1 to 4, "width", 2 to 6>> {
    %p = nn.max_pool %x {window = array<i64: 1, 2>, strides = array<i64: 1, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x6xf32, #nn.extents<[1, 2, d0, d1], "height", 1 to 4, "width", 2 to 6>>) -> tensor<1x2x4x3xf32, #nn.extents<[1, 2, d0, d1 / 2], "height", 1 to 4, "width", 2 to 6>>
    func.return %p : tensor<1x2x4x3xf32, #nn.extents<[1, 2, d0, d1 / 2], "height", 1 to 4, "width", 2 to 6>>
  }
}

// -----

// Images that are halved, and made larger again: by a transposed convolution to twice the half, by a resize to three times.
// A resize to a quarter rounds down. The place of an element of a resize is a step times its own, the step says how many.

// CHECK:      nn.conv_transpose
// CHECK-NEXT: nn.resize
// CHECK-NOT:  places
// CHECK:      func.return %t, %r, %s : tensor<1x14x14x4xf32, #nn.extents<[1, d0 / 2 * 2, d0 / 2 * 2, 4], "n", 6 to 15>>, tensor<1x21x7x4xf32, #nn.extents<[1, d0 / 2 * 3, d0 / 2, 4], "n", 6 to 15>>, tensor<1x3x15x4xf32, #nn.extents<[1, d0 / 4, d0, 4], "n", 6 to 15>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 6 to 15>} {
  func.func @main(%x: tensor<1x15x15x4xf32, #nn.extents<[1, d0, d0, 4], "n", 6 to 15>>, %w: tensor<2x2x4x4xf32>) -> (tensor<1x14x14x4xf32, #nn.extents<[1, d0 / 2 * 2, d0 / 2 * 2, 4], "n", 6 to 15>>, tensor<1x21x7x4xf32, #nn.extents<[1, d0 / 2 * 3, d0 / 2, 4], "n", 6 to 15>>, tensor<1x3x15x4xf32, #nn.extents<[1, d0 / 4, d0, 4], "n", 6 to 15>>) {
    %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x15x15x4xf32, #nn.extents<[1, d0, d0, 4], "n", 6 to 15>>) -> tensor<1x7x7x4xf32, #nn.extents<[1, d0 / 2, d0 / 2, 4], "n", 6 to 15>>
    %t = nn.conv_transpose %p, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x7x7x4xf32, #nn.extents<[1, d0 / 2, d0 / 2, 4], "n", 6 to 15>>, tensor<2x2x4x4xf32>) -> tensor<1x14x14x4xf32, #nn.extents<[1, d0 / 2 * 2, d0 / 2 * 2, 4], "n", 6 to 15>>
    %r = nn.resize %p {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 3, 1, 1>} : (tensor<1x7x7x4xf32, #nn.extents<[1, d0 / 2, d0 / 2, 4], "n", 6 to 15>>) -> tensor<1x21x7x4xf32, #nn.extents<[1, d0 / 2 * 3, d0 / 2, 4], "n", 6 to 15>>
    %s = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 8, 1, 1>, offsets = array<i64: 0, 3, 0, 0>, denominators = array<i64: 1, 2, 1, 1>} : (tensor<1x15x15x4xf32, #nn.extents<[1, d0, d0, 4], "n", 6 to 15>>) -> tensor<1x3x15x4xf32, #nn.extents<[1, d0 / 4, d0, 4], "n", 6 to 15>>
    func.return %t, %r, %s : tensor<1x14x14x4xf32, #nn.extents<[1, d0 / 2 * 2, d0 / 2 * 2, 4], "n", 6 to 15>>, tensor<1x21x7x4xf32, #nn.extents<[1, d0 / 2 * 3, d0 / 2, 4], "n", 6 to 15>>, tensor<1x3x15x4xf32, #nn.extents<[1, d0 / 4, d0, 4], "n", 6 to 15>>
  }
}
