// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels --flatten-products | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=4M --fuse-kernels | filecheck %s --check-prefix=NEAR

// The image is larger than the second-level cache: blocks of its rows stay there. The kernel is
// still a product over all pixels. A larger cache holds the image.

func.func @f(%x: tensor<1x56x56x128xf32>, %s: tensor<128xf32>, %w: tensor<1x1x128x64xf32>) -> tensor<1x56x56x64xf32> {
  %a = nn.kernel(%x, %s) : (tensor<1x56x56x128xf32>, tensor<128xf32>) -> tensor<1x56x56x128xf32> {
  ^bb0(%k: tensor<1x56x56x128xf32>, %l: tensor<128xf32>):
    %m = nn.mul %k, %l : (tensor<1x56x56x128xf32>, tensor<128xf32>) -> tensor<1x56x56x128xf32>
    %r = nn.relu %m : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    nn.yield %r : tensor<1x56x56x128xf32>
  }
  %y = nn.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<1x1x128x64xf32>) -> tensor<1x56x56x64xf32>
  func.return %y : tensor<1x56x56x64xf32>
}

// CHECK:      [[x:%.*]] = nn.reshape %x : (tensor<1x56x56x128xf32>) -> tensor<3136x128xf32>
// CHECK:      nn.kernel([[x]], %s, {{%.*}}) :
// CHECK:      nn.mul
// CHECK-NEXT: nn.relu
// CHECK-NEXT: nn.matmul
// CHECK-NOT:  nn.kernel

// NEAR-COUNT-2: nn.kernel(
