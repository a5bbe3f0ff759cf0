// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=4M --fuse-kernels | filecheck %s --check-prefix=LARGE

// Near miss: windows reach so far that most of a band would be computed twice; a larger cache has room for bands that pay.

func.func @f(%x: tensor<1x512x64x8xf32>, %w: tensor<3x3x8x64xf32>) -> tensor<1x512x64x64xf32> {
  %e = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x512x64x8xf32>, tensor<3x3x8x64xf32>) -> tensor<1x512x64x64xf32>
  %y = nn.max_pool %e {window = array<i64: 13, 1>, strides = array<i64: 1, 1>, pads = array<i64: 6, 0, 6, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x512x64x64xf32>) -> tensor<1x512x64x64xf32>
  func.return %y : tensor<1x512x64x64xf32>
}

// CHECK: nn.kernel(%x, %w) :
// CHECK: nn.kernel(%e) :
// CHECK-NOT: nn.kernel

// LARGE: nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [22, 20, 8]>}
// LARGE-NOT: nn.kernel
