// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses: what is not the same for all pixels would keep the convolution from being a product; a left-hand side that all products of a stack read; one whose columns are the rows.

func.func @f(%x: tensor<1x56x56x128xf32>, %r: tensor<1x56x1x128xf32>, %w: tensor<1x1x128x64xf32>, %l: tensor<1x3136x128xf32>, %b: tensor<4x128x32xf32>, %t: tensor<512x3136xf32>, %c: tensor<512x32xf32>) -> (tensor<1x56x56x64xf32>, tensor<4x3136x32xf32>, tensor<3136x32xf32>) {
  %a = nn.mul %x, %r : (tensor<1x56x56x128xf32>, tensor<1x56x1x128xf32>) -> tensor<1x56x56x128xf32>
  %y = nn.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<1x1x128x64xf32>) -> tensor<1x56x56x64xf32>
  %d = nn.relu %l : (tensor<1x3136x128xf32>) -> tensor<1x3136x128xf32>
  %z = nn.matmul %d, %b : (tensor<1x3136x128xf32>, tensor<4x128x32xf32>) -> tensor<4x3136x32xf32>
  %e = nn.relu %t : (tensor<512x3136xf32>) -> tensor<512x3136xf32>
  %v = nn.matmul %e, %c {transpose_lhs = true} : (tensor<512x3136xf32>, tensor<512x32xf32>) -> tensor<3136x32xf32>
  func.return %y, %z, %v : tensor<1x56x56x64xf32>, tensor<4x3136x32xf32>, tensor<3136x32xf32>
}

// CHECK-COUNT-6: nn.kernel(
// CHECK-NOT:     nn.kernel(
