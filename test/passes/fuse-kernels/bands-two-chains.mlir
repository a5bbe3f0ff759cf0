// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=1M --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2:l2=1M --fuse-kernels | filecheck %s

// Six convolutions in a row. A chain may begin with any of them: two of three gain more than one of four and one of two,
// since the image between expansion and depthwise convolution is the largest.

func.func @f(%x: tensor<1x224x224x3xf32>, %w0: tensor<3x3x3x32xf32>, %w1: tensor<3x3x1x32xf32>, %w2: tensor<1x1x32x16xf32>, %w3: tensor<1x1x16x96xf32>, %w4: tensor<3x3x1x96xf32>, %w5: tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32> {
  %c = nn.conv %x, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<3x3x3x32xf32>) -> tensor<1x112x112x32xf32>
  %d = nn.conv %c, %w1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 32 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x112x112x32xf32>
  %p = nn.conv %d, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x32xf32>, tensor<1x1x32x16xf32>) -> tensor<1x112x112x16xf32>
  %e = nn.conv %p, %w3 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %g = nn.conv %e, %w4 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32>
  %y = nn.conv %g, %w5 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x96xf32>, tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32>
  func.return %y : tensor<1x56x56x24xf32>
}

// CHECK: %p = nn.kernel(%x, %w0, %w1, %w2) {config = #nn.config<row_bands,
// CHECK: %y = nn.kernel(%p, %w3, %w4, %w5) {config = #nn.config<row_bands,
// CHECK-NOT: nn.kernel
