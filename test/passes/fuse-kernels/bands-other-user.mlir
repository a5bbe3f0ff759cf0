// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses: the image is a result, too.

func.func @f(%x: tensor<1x112x112x16xf32>, %w: tensor<1x1x16x96xf32>) -> (tensor<1x112x112x96xf32>, tensor<1x56x56x96xf32>) {
  %e = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %y = nn.max_pool %e {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x112x112x96xf32>) -> tensor<1x56x56x96xf32>
  func.return %e, %y : tensor<1x112x112x96xf32>, tensor<1x56x56x96xf32>
}

// CHECK-NOT: row_bands
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: row_bands
