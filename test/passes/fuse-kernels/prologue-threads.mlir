// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=8 --fuse-kernels | filecheck %s --check-prefix=CORES

// Near miss: one core would pad the image, and compute many exponentials, while the others wait.

func.func @f(%x: tensor<1x20x20x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x20x20x64xf32> {
  %a = nn.exp %x : (tensor<1x20x20x64xf32>) -> tensor<1x20x20x64xf32>
  %y = nn.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x20x20x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x20x20x64xf32>
  func.return %y : tensor<1x20x20x64xf32>
}

// CHECK:     nn.kernel(%x, %w) :
// CHECK-NOT: nn.kernel(

// CORES-COUNT-2: nn.kernel(
