// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels --guard-open-loops | filecheck %s

// Bands of 2 rows of 3 to 14 tiles: the last group of 5 is filled up, with up to 2 tiles behind the 28 of the largest band.
// Bands of the least width have 10 tiles then, in 4 rows; so 18 rows of pixels are kept. Nothing beyond the image is
// written.

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 3 to 14 by 4>} {
  func.func @main(%x: tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>, %w: tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>> {
    %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], rows = [2], group = [5]>} : (tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>, tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>> {
    ^bb0(%i: tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>, %f: tensor<4x6x6x64x16xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 4 : i64} : (tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>, tensor<4x6x6x64x16xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>
      nn.yield %v : tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>
    }
    func.return %y : tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 3 to 14 by 4>>
  }
}

// CHECK:     halide.split %out "y" to "yt", "j" by 4 {tail = #halide<tail guard_with_if>}
// CHECK:     halide.split %out "yt" to "yb", "yo" by 2 {tail = #halide<tail guard_with_if>}
// CHECK:     halide.bound_extent %output_rows "t" extent 1
// CHECK:     halide.bound_extent %output_tiles "t" extent 1
// CHECK:     halide.bound_storage %padded "y" extent 18
// CHECK:     halide.split %out "x" to "xo", "i" by 4 {tail = #halide<tail guard_with_if>}
// CHECK:     halide.bound_storage %input_tiles "t" extent 30
// CHECK:     halide.bound_storage %products "t" extent 30
// CHECK:     halide.split %products "t" to "to", "tt" by 5 {tail = #halide<tail round_up>}
// CHECK:     halide.bound_storage %padded "x" extent 61
// CHECK-NOT: halide.bound_storage
