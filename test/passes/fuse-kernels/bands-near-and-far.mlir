// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=4M --fuse-kernels | filecheck %s --check-prefix=LARGE

// The image between the last two stays in the second-level cache; of a larger cache, so do all.

func.func @f(%x: tensor<1x112x112x16xf32>, %w0: tensor<1x1x16x48xf32>, %w1: tensor<3x3x1x48xf32>, %w2: tensor<1x1x48x24xf32>) -> tensor<1x38x38x24xf32> {
  %e = nn.conv %x, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x48xf32>) -> tensor<1x112x112x48xf32>
  %d = nn.conv %e, %w1 {strides = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 48 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x38x38x48xf32>
  %y = nn.conv %d, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x38x38x48xf32>, tensor<1x1x48x24xf32>) -> tensor<1x38x38x24xf32>
  func.return %y : tensor<1x38x38x24xf32>
}

// CHECK: nn.kernel(%x, %w0, %w1) {config = #nn.config<row_bands, bands = [3, 3, 1]>}
// CHECK: nn.kernel(%d, %w2) :
// CHECK-NOT: nn.kernel

// LARGE: nn.kernel(%x, %w0) :
// LARGE: nn.kernel(%e, %w1) :
// LARGE: nn.kernel(%d, %w2) :
// LARGE-NOT: nn.kernel
