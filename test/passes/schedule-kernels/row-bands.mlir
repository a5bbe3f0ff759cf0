// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M:cores=2 --fuse-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Both images on the way are computed for a band of the result; each has the tiles of its own kind. Rows that two
// bands read are kept: each core has a strip of bands. Of the second image, each band makes its own rows.

func.func @f(%x: tensor<1x112x112x16xf32>, %w0: tensor<1x1x16x96xf32>, %w1: tensor<3x3x1x96xf32>, %w2: tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32> {
  %e = nn.conv %x, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %d = nn.conv %e, %w1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32>
  %y = nn.conv %d, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x96xf32>, tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32>
  func.return %y : tensor<1x56x56x24xf32>
}

// CHECK: config<row_bands, bands = [5, 5, 2, 2], parts = {{.*}}, strip = [14]> fast_math
// CHECK: halide.split %out "y" to "ys", "yi" by 28
// CHECK: halide.split %out "yi" to "yo", "yt" by 2
// CHECK: halide.compute_at %rows at %out "yo"
// CHECK: halide.bound %rows "c" from 0 extent 96
// CHECK: halide.bound %rows "x" from 0 extent 112
// CHECK: halide.store_at %rows at %out "ys"
// CHECK: halide.fold_storage %rows "y" extent 5
// CHECK: halide.split %rows "c" to "co", "ct" by 48
// CHECK: halide.split %rows "x" to "xo", "xt" by 8
// CHECK: halide.reorder %rows ["ct", "xt", "xo", "y", "co", "n"]
// CHECK: halide.compute_at %conv at %rows "xo"
// CHECK: halide.reorder %conv ["c", "x", "ci"] {stage = 1 : i64}
// CHECK: halide.compute_at %rows2 at %out "yo"
// CHECK: halide.bound %rows2 "c" from 0 extent 96
// CHECK: halide.bound %rows2 "x" from 0 extent 56
// CHECK-NEXT: halide.bound_extent %rows2 "y" extent 2
// CHECK: halide.split %rows2 "c" to "co", "ct" by 16
// CHECK: halide.split %rows2 "x" to "xo", "xt" by 8
// CHECK: halide.reorder %rows2 ["ct", "xt", "co", "xo", "y", "n"]
// CHECK: halide.compute_at %conv2 at %rows2 "co"
// CHECK: halide.reorder %conv2 ["c", "x", "kx", "ky"] {stage = 1 : i64}
// CHECK: halide.split %out "c" to "co", "ct" by 16 {tail = #halide<tail shift_inwards>}
// CHECK: halide.split %out "x" to "xo", "xt" by 14
// CHECK: halide.reorder %out ["ct", "xt", "xo", "yt", "co", "yo", "ys", "n"]
// CHECK: halide.compute_at %conv3 at %out "xo"
// CHECK: halide.reorder %conv3 ["c", "x", "ci"] {stage = 1 : i64}
// CHECK: halide.parallel %out "ys"
