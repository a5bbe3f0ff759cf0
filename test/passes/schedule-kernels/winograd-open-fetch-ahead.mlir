// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels --guard-open-loops | filecheck %s

// Only a run knows how many groups of tiles there are. So each fetches the two lines of a step of the next point's panel,
// whatever its number; all but the first group of a panel find them in the cache.

builtin.module attributes {nn.open_extent = #nn.open_extent<"size", 5 to 14 by 4>} {
  func.func @main(%x: tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, %w: tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>> {
    %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>> {
    ^bb0(%i: tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, %f: tensor<2x6x6x64x32xf32>):
      %v = nn.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>, tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>
      nn.yield %v : tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>
    }
    func.return %y : tensor<1x56x56x64xf32, #nn.extents<[1, 4 * d0, 4 * d0, 64], "size", 5 to 14 by 4>>
  }
}

// CHECK:      halide.split %out "c" to "cb", "cc" by 32
// CHECK:      halide.split %sums "ci" to "cio", "cii" by 1 {stage = 1 : i64}
// CHECK-NEXT: halide.prefetch_line %sums "cio" of %in1 at affine_map<(d0, d1, d2, d3, d4, d5) -> (((d5 floordiv 1) * 32), 0, (d2 + 1), d3, (d0 floordiv 32))>
// CHECK-NEXT: halide.prefetch_line %sums "cio" of %in1 at affine_map<(d0, d1, d2, d3, d4, d5) -> ((((d5 floordiv 1) * 32) + 16), 0, (d2 + 1), d3, (d0 floordiv 32))>
