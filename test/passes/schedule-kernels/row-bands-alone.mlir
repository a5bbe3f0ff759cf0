// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=2M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Windows that leave out rows of the image before keep none: each band makes all of its rows.

func.func @f(%x: tensor<1x60x40x8xf32>, %w: tensor<1x1x8x32xf32>) -> tensor<1x20x13x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [11, 11, 4]>} : (tensor<1x60x40x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x20x13x32xf32> {
  ^bb0(%a: tensor<1x60x40x8xf32>, %b: tensor<1x1x8x32xf32>):
    %e = nn.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x60x40x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x60x40x32xf32>
    %p = nn.max_pool %e {window = array<i64: 2, 2>, strides = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x60x40x32xf32>) -> tensor<1x20x13x32xf32>
    nn.yield %p : tensor<1x20x13x32xf32>
  }
  func.return %y : tensor<1x20x13x32xf32>
}

// CHECK: config<row_bands, bands = [11, 11, 4], parts = {{.*}}, strip = [1]> fast_math
// CHECK: halide.split %out "y" to "yo", "yt" by 4
// CHECK: halide.compute_at %rows at %out "yo"
// CHECK: halide.bound_extent %rows "y" extent 11
// CHECK-NOT: halide.store_at
// CHECK-NOT: halide.fold_storage
