// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M --fuse-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The image is padded for a band, but for the rows that the band before has padded; a large filter is read tile by tile,
// for all rows of a band each. One core has all bands in one strip.

func.func @f(%x: tensor<1x224x224x3xf32>, %w: tensor<7x7x3x64xf32>) -> tensor<1x56x56x64xf32> {
  %e = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
  %y = nn.max_pool %e {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>
  func.return %y : tensor<1x56x56x64xf32>
}

// CHECK: config<row_bands, bands = [15, 5, 2], parts = {{.*}}, strip = [28]> fast_math
// CHECK: halide.split %out "y" to "yo", "yt" by 2
// CHECK: halide.compute_at %rows at %out "yo"
// CHECK: halide.bound %rows "c" from 0 extent 64
// CHECK: halide.bound %rows "x" from 0 extent 112
// CHECK: halide.store_at %rows at %out "n"
// CHECK: halide.fold_storage %rows "y" extent 5
// CHECK: halide.split %rows "c" to "co", "ct" by 64
// CHECK: halide.split %rows "x" to "xo", "xt" by 6 {tail = #halide<tail shift_inwards>}
// CHECK: halide.reorder %rows ["ct", "xt", "xo", "y", "co", "n"]
// CHECK: halide.compute_at %conv at %rows "xo"
// CHECK: halide.reorder %conv ["c", "x", "ci", "kx", "ky"] {stage = 1 : i64}
// CHECK: halide.split %out "c" to "co", "ct" by 16
// CHECK: halide.split %out "x" to "xo", "xt" by 8
// CHECK: halide.reorder %out ["ct", "xt", "co", "xo", "yt", "yo", "n"]
// CHECK: halide.compute_at %max_pool at %out "co"
// CHECK: halide.reorder %max_pool ["c", "x", "k1", "k0"] {stage = 1 : i64}
// CHECK: halide.compute_at %padded at %out "yo"
// CHECK: halide.store_at %padded at %out "n"
// CHECK: halide.fold_storage %padded "y" extent 15
