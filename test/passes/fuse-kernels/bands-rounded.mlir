// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=1M:bfloat16_rate=2 --fuse-kernels=rounds=true | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=1M:bfloat16_rate=2 --fuse-kernels | filecheck %s --check-prefix=WIDE
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=1M:bfloat16_rate=0.5 --fuse-kernels=rounds=true | filecheck %s --check-prefix=WIDE

// A convolution of bfloat16 in a kernel of its own takes half the time, which is more than its image costs.

func.func @products(%x: tensor<1x224x224x3xf32>, %w: tensor<7x7x3x64xf32>) -> tensor<1x56x56x64xf32> {
  %e = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
  %y = nn.max_pool %e {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>
  func.return %y : tensor<1x56x56x64xf32>
}

// CHECK-LABEL: func.func @products
// CHECK:         nn.kernel(%x, %w) :
// CHECK:         nn.kernel(%e) :

// WIDE-LABEL:  func.func @products
// WIDE:          nn.kernel(%x, %w) {config = #nn.config<row_bands
// WIDE-NOT:      nn.kernel

// A depthwise convolution has no products to round: bands are worth as much as before.

func.func @windows(%x: tensor<1x112x112x96xf32>, %w: tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32> {
  %e = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x112x112x96xf32>
  %y = nn.max_pool %e {window = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x112x112x96xf32>) -> tensor<1x56x56x96xf32>
  func.return %y : tensor<1x56x56x96xf32>
}

// CHECK-LABEL: func.func @windows
// CHECK:         nn.kernel(%x, %w) {config = #nn.config<row_bands
// CHECK-NOT:     nn.kernel

// WIDE-LABEL:  func.func @windows
// WIDE:          nn.kernel(%x, %w) {config = #nn.config<row_bands
// WIDE-NOT:      nn.kernel
