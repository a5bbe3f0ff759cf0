// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=CORES

// A band of one row of tiles reads six rows of the image that the kernel computes, of which the next one reads two
// again. They are kept. Where cores share the bands they are not.

// CHECK-LABEL: halide.pipeline
// CHECK: halide.compute_at %padded at %out "yb"
// CHECK: halide.store_at %padded at %out "n"
// CHECK: halide.fold_storage %padded "y" extent 6

// CORES-LABEL: halide.pipeline
// CORES-NOT: halide.fold_storage
// CORES: halide.parallel %out "yb"
func.func @computed(%x: tensor<1x64x64x32xf32>, %w: tensor<1x6x6x32x32xf32>) -> tensor<1x64x64x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], rows = [1]>} : (tensor<1x64x64x32xf32>, tensor<1x6x6x32x32xf32>) -> tensor<1x64x64x32xf32> {
  ^bb0(%x_: tensor<1x64x64x32xf32>, %w_: tensor<1x6x6x32x32xf32>):
    %s = nn.swish %x_ : (tensor<1x64x64x32xf32>) -> tensor<1x64x64x32xf32>
    %v = nn.conv %s, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x64x64x32xf32>, tensor<1x6x6x32x32xf32>) -> tensor<1x64x64x32xf32>
    nn.yield %v : tensor<1x64x64x32xf32>
  }
  func.return %y : tensor<1x64x64x32xf32>
}

// -----

// Near miss: an image that is only copied.

// CHECK-LABEL: halide.pipeline
// CHECK-NOT: halide.fold_storage
func.func @copied(%x: tensor<1x64x64x32xf32>, %w: tensor<1x6x6x32x32xf32>) -> tensor<1x64x64x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], rows = [1]>} : (tensor<1x64x64x32xf32>, tensor<1x6x6x32x32xf32>) -> tensor<1x64x64x32xf32> {
  ^bb0(%x_: tensor<1x64x64x32xf32>, %w_: tensor<1x6x6x32x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x64x64x32xf32>, tensor<1x6x6x32x32xf32>) -> tensor<1x64x64x32xf32>
    nn.yield %v : tensor<1x64x64x32xf32>
  }
  func.return %y : tensor<1x64x64x32xf32>
}

// -----

// Near miss: a single band.

// CHECK-LABEL: halide.pipeline
// CHECK-NOT: halide.fold_storage
func.func @one_band(%x: tensor<1x4x64x32xf32>, %w: tensor<1x6x6x32x32xf32>) -> tensor<1x4x64x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], rows = [1]>} : (tensor<1x4x64x32xf32>, tensor<1x6x6x32x32xf32>) -> tensor<1x4x64x32xf32> {
  ^bb0(%x_: tensor<1x4x64x32xf32>, %w_: tensor<1x6x6x32x32xf32>):
    %s = nn.swish %x_ : (tensor<1x4x64x32xf32>) -> tensor<1x4x64x32xf32>
    %v = nn.conv %s, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x4x64x32xf32>, tensor<1x6x6x32x32xf32>) -> tensor<1x4x64x32xf32>
    nn.yield %v : tensor<1x4x64x32xf32>
  }
  func.return %y : tensor<1x4x64x32xf32>
}
