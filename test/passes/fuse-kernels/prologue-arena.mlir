// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near miss: what the image is made of would be needed for longer, and rows of it beside that.

func.func @f(%in: tensor<1x112x112x96xf32>, %w: tensor<1x1x96x96xf32>) -> tensor<1x112x112x96xf32> {
  %x = nn.softmax %in {axis = 3 : i64} : (tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
  %e = nn.relu %x : (tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
  %y = nn.conv %e, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<1x1x96x96xf32>) -> tensor<1x112x112x96xf32>
  %z = nn.softmax %y {axis = 3 : i64} : (tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
  func.return %z : tensor<1x112x112x96xf32>
}

// CHECK-COUNT-4: nn.kernel(
// CHECK-NOT:     nn.kernel(
