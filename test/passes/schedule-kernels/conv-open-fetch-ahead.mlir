// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels --guard-open-loops | filecheck %s

// Only a run knows how many rows and pixels there are, 7 at least. Which line is fetched follows from the number of the row:
// in 7 rows nearly all of those of the next tile of channels are, and the 8th row begins with the first line again.

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 7 to 16>} {
  func.func @main(%x: tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, %w: tensor<16x3x3x256x32xf32>) -> tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>> {
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [32, 7]>} : (tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, tensor<16x3x3x256x32xf32>) -> tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>> {
    ^bb0(%i: tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, %f: tensor<16x3x3x256x32xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x32x32x256xf32, #nn.extents<[1, 2 * d0, 2 * d0, 256], "size", 7 to 16>>, tensor<16x3x3x256x32xf32>) -> tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>>
      nn.yield %v : tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>>
    }
    func.return %y : tensor<1x16x16x512xf32, #nn.extents<[1, d0, d0, 512], "size", 7 to 16>>
  }
}

// CHECK:      halide.split %conv "ci" to "cb", "cs" by 4 {stage = 1 : i64}
// CHECK-NEXT: halide.prefetch_line %conv "cb" of %in1 at affine_map<{{.*}}(d2 * 576) + ((d2 floordiv 7) * -4032){{.*}}((d0 floordiv 32) + 1))>
