// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses: the reader sums over channels with a window, or with a stride, or over groups of channels; or it is no window.

func.func @f(%x: tensor<1x112x112x16xf32>, %w: tensor<1x1x16x96xf32>, %w3: tensor<3x3x96x32xf32>, %w4: tensor<1x1x96x32xf32>, %w5: tensor<3x3x2x96xf32>) -> (tensor<1x112x112x32xf32>, tensor<1x56x56x32xf32>, tensor<1x112x112x96xf32>, tensor<1x112x112x96xf32>) {
  %e0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %a = nn.conv %e0, %w3 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x96x32xf32>) -> tensor<1x112x112x32xf32>
  %e1 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %b = nn.conv %e1, %w4 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<1x1x96x32xf32>) -> tensor<1x56x56x32xf32>
  %e2 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %c = nn.conv %e2, %w5 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 48 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x2x96xf32>) -> tensor<1x112x112x96xf32>
  %e3 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %d = nn.softmax %e3 {axis = 3 : i64} : (tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
  func.return %a, %b, %c, %d : tensor<1x112x112x32xf32>, tensor<1x56x56x32xf32>, tensor<1x112x112x96xf32>, tensor<1x112x112x96xf32>
}

// CHECK-NOT: row_bands
// CHECK-COUNT-8: nn.kernel(
// CHECK-NOT: row_bands
