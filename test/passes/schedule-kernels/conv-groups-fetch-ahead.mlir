// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx2:cores=1:l2=640K --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE

// While a group is computed for a band of rows, the filter of the next one is fetched: 144 lines, in 21 tiles of 24
// fetches, so that each line is fetched three times. The last tile of a row has four pixels.

// CHECK:      config<grouped_conv, tile = [16, 5], order = [x, y, c], unroll = [3], rows = [7], fetch = [2]>
// CHECK:      halide.split %out "x" to "xo", "xt" by 5 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.bound_storage %conv "x" extent 5
// CHECK:      halide.split %conv "ci" to "cb", "cs" by 2 {stage = 1 : i64}
// CHECK-NEXT: halide.prefetch_line %conv "cb" of %in1 at affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (
// CHECK-SAME: d2 floordiv 5
// CHECK-SAME: d3 floordiv 7
// CHECK-SAME: 0, 0, 0, (d1 + 1))>
// CHECK-NEXT: halide.reorder %conv ["c", "x", "kx", "cs", "cb", "ky"] {stage = 1 : i64}
// CHECK:      halide.unroll %conv "cs" {stage = 1 : i64}
// CHECK-NEXT: halide.unroll %conv "kx" {stage = 1 : i64}

// NONE-NOT:   halide.prefetch_line
func.func @f(%x: tensor<1x14x14x512xf32>, %w: tensor<32x3x3x16x16xf32>) -> tensor<1x14x14x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x14x14x512xf32>, tensor<32x3x3x16x16xf32>) -> tensor<1x14x14x512xf32> {
  ^bb0(%x_: tensor<1x14x14x512xf32>, %w_: tensor<32x3x3x16x16xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 32 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>} : (tensor<1x14x14x512xf32>, tensor<32x3x3x16x16xf32>) -> tensor<1x14x14x512xf32>
    nn.yield %v : tensor<1x14x14x512xf32>
  }
  func.return %y : tensor<1x14x14x512xf32>
}
