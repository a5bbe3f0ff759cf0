// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels --configure-kernels --pack-weights | filecheck %s

// Of several convolutions in bands of rows, those that sum over channels are packed; a depthwise filter is not.

func.func @f(%x: tensor<1x112x112x16xf32>) -> tensor<1x56x56x24xf32> {
  %w0 = nn.constant #nn.dense<0.5 : tensor<1x1x16x96xf32>>
  %w1 = nn.constant #nn.dense<0.5 : tensor<3x3x1x96xf32>>
  %w2 = nn.constant #nn.dense<0.5 : tensor<1x1x96x24xf32>>
  %e = nn.conv %x, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %d = nn.conv %e, %w1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32>
  %y = nn.conv %d, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x96xf32>, tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32>
  func.return %y : tensor<1x56x56x24xf32>
}

// CHECK: %1 = nn.transpose %0 {permutation = array<i64: 3, 0, 1, 2, 4>} : (tensor<1x1x16x2x48xf32>)
// CHECK: %y = nn.kernel(%x, %1, %w1, %2) {config = #nn.config<row_bands, bands = [5, 5, 2, 2], parts = {{.*}}>} : (tensor<1x112x112x16xf32>, tensor<2x1x1x16x48xf32>, tensor<3x3x1x96xf32>, tensor<1x1x1x96x32xf32>)
// CHECK: %e = nn.conv %x_1, %w0_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 48>} : (tensor<1x112x112x16xf32>, tensor<2x1x1x16x48xf32>)
// CHECK: %d = nn.conv %e, %w1_1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>)
// CHECK: %y_1 = nn.conv %d, %w2_1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 24>} : (tensor<1x56x56x96xf32>, tensor<1x1x1x96x32xf32>)
