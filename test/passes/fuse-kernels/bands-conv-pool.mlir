// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M:cores=4 --fuse-kernels | filecheck %s --check-prefix=CORES

// The image on the way is larger than the second-level cache: bands of it stay there.
// Two windows one below the other share a row, which is kept: low bands cost no more than high ones.

func.func @f(%x: tensor<1x224x224x3xf32>, %w: tensor<7x7x3x64xf32>) -> tensor<1x56x56x64xf32> {
  %e = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
  %y = nn.max_pool %e {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>
  func.return %y : tensor<1x56x56x64xf32>
}

// CHECK: nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [15, 5, 2]>}
// CHECK-NOT: nn.kernel

// CORES: nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [15, 5, 2]>}
// CORES-NOT: nn.kernel
