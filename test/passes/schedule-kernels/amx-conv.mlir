// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids --configure-kernels --pack-weights --fold-nn-constants --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids:cores=2 --configure-kernels | filecheck %s --check-prefix=SHARED

// The rows of a tile register are pixels of a row, which is filled up to whole tiles. Cores share the rows of an image
// with one tile of columns.

func.func @main(%x: tensor<1x64x14x64xui8>) -> tensor<1x64x14x40xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x64x40xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x64x14x64xui8>, tensor<3x3x64x40xi8>) -> tensor<1x64x14x40xi32> {
  ^bb0(%p: tensor<1x64x14x64xui8>, %q: tensor<3x3x64x40xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x64x14x64xui8>, tensor<3x3x64x40xi8>) -> tensor<1x64x14x40xi32>
    nn.yield %m : tensor<1x64x14x40xi32>
  }
  func.return %y : tensor<1x64x14x40xi32>
}

// CHECK:      halide.pipeline @conv_0(%in0: !halide.buffer<ui8, [64, 14, 64, 1]>, %in1: !halide.buffer<i8, [4, 48, 144]>) to (%result0: !halide.buffer<i32, [40, 14, 64, 1]>) config<amx, tile = [48, 64], pack = [48, 48], dot = [4]> {
// CHECK:      %padded = halide.func "padded"(c %c, x %x, y %y, n %n) in [64, 18, 66, 1] : ui8 {
// CHECK:      halide.load %in1[%30, %c_2, %36] : !halide.buffer<i8, [4, 48, 144]> to i8
// CHECK:      halide.load %padded[%ci, %27, %26, %n_2] : !halide.func<ui8, 4> to ui8
// CHECK:      halide.split %out "c" to "no", "nt" by 48 {tail = #halide<tail guard_with_if>} : !halide.func<i32, 4>
// CHECK:      halide.split %out "x" to "mo", "mt" by 16 {tail = #halide<tail guard_with_if>} : !halide.func<i32, 4>
// CHECK:      halide.reorder %out ["nt", "mt", "mo", "y", "n", "no"] : !halide.func<i32, 4>
// CHECK:      halide.compute_root %padded : !halide.func<ui8, 4>
// CHECK:      halide.compute_at %sums at %out "mo" : !halide.func<i32, 4> at !halide.func<i32, 4>
// CHECK:      halide.bound_extent %sums "c" extent 48 : !halide.func<i32, 4>
// CHECK:      halide.bound_extent %sums "x" extent 16 : !halide.func<i32, 4>
// CHECK:      halide.split %sums "c" to "c", "nx" by 16 : !halide.func<i32, 4>
// CHECK:      halide.split %sums "x" to "x", "mx" by 16 : !halide.func<i32, 4>
// CHECK:      halide.reorder %sums ["nx", "mx", "c", "x", "y", "n"] : !halide.func<i32, 4>
// CHECK:      halide.compute_at %conv at %sums "c" : !halide.func<i32, 4> at !halide.func<i32, 4>
// CHECK:      halide.store_in %conv in amx_tile : !halide.func<i32, 4>
// CHECK:      halide.split %conv "c" to "c", "nx" by 16 : !halide.func<i32, 4>
// CHECK:      halide.split %conv "x" to "x", "mx" by 16 : !halide.func<i32, 4>
// CHECK:      halide.reorder %conv ["nx", "mx", "c", "x", "y", "n"] : !halide.func<i32, 4>
// CHECK:      halide.split %conv "c" to "c", "nx" by 16 {stage = 1 : i64} : !halide.func<i32, 4>
// CHECK:      halide.split %conv "x" to "x", "mx" by 16 {stage = 1 : i64} : !halide.func<i32, 4>
// CHECK:      halide.split %conv "ci" to "ci", "dot" by 64 {stage = 1 : i64} : !halide.func<i32, 4>
// CHECK:      halide.reorder %conv ["dot", "nx", "mx", "ci", "kx", "ky", "c", "x", "y", "n"] {stage = 1 : i64} : !halide.func<i32, 4>

// SHARED: #nn.config<amx, tile = [48, 64], pack = [48, 48], dot = [4], parallel = [rows]>
