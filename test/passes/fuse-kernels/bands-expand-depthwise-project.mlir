// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --fuse-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=aarch64-neon --fuse-kernels | filecheck %s --check-prefix=NEON

// Three anchors, two images on the way. The slower the arithmetic, the less do filters count that each band reads, and the lower are bands.

func.func @f(%x: tensor<1x112x112x16xf32>, %w0: tensor<1x1x16x96xf32>, %w1: tensor<3x3x1x96xf32>, %w2: tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32> {
  %e = nn.conv %x, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %d = nn.conv %e, %w1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32>
  %y = nn.conv %d, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x96xf32>, tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32>
  func.return %y : tensor<1x56x56x24xf32>
}

// CHECK: nn.kernel(%x, %w0, %w1, %w2) {config = #nn.config<row_bands, bands = [5, 5, 2, 2]>}
// CHECK-NOT: nn.kernel

// AVX2: nn.kernel(%x, %w0, %w1, %w2) {config = #nn.config<row_bands, bands = [3, 3, 1, 1]>}
// AVX2-NOT: nn.kernel

// NEON: nn.kernel(%x, %w0) :
// NEON: nn.kernel(%e, %w1, %w2) {config = #nn.config<row_bands, bands = [3, 1, 1]>}
// NEON-NOT: nn.kernel
