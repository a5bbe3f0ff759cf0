// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// What is merged with a convolution is the first of those that are computed in bands of rows.

func.func @f(%x: tensor<1x56x56x128xf32>, %w: tensor<1x1x128x128xf32>) -> tensor<1x28x28x128xf32> {
  %a = nn.relu %x : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %c = nn.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32>
  %y = nn.average_pool %c {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x56x56x128xf32>) -> tensor<1x28x28x128xf32>
  func.return %y : tensor<1x28x28x128xf32>
}

// CHECK:      nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = {{\[[0-9]+, [0-9]+, [0-9]+\]}}>}
// CHECK:      nn.relu
// CHECK-NEXT: nn.conv
// CHECK-NEXT: nn.average_pool
// CHECK-NOT:  nn.kernel
