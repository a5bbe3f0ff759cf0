// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M --fuse-kernels=winograd=true | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M --fuse-kernels | filecheck %s --check-prefix=OFF

// Where Winograd's algorithm may be taken, it costs less than bands of the direct sum.

func.func @f(%x: tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<3x3x64x64xf32>>
  %e = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x112x112x64xf32>
  %y = nn.max_pool %e {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x112x112x64xf32>) -> tensor<1x56x56x64xf32>
  func.return %y : tensor<1x56x56x64xf32>
}

// CHECK: nn.kernel(%x, %w) :
// CHECK: nn.kernel(%e) :
// CHECK-NOT: nn.kernel

// OFF: nn.kernel(%x, %w) {config = #nn.config<row_bands, bands = [6, 4, 2]>}
// OFF-NOT: nn.kernel
