// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near miss: the arena is largest elsewhere, and bands would be scratch memory beside it.

func.func @f(%q: tensor<8x512x32xf32>, %k: tensor<8x32x512xf32>, %more: tensor<64x512x512xf32>) -> (tensor<8x512x512xf32>, tensor<64x512x512xf32>) {
  %s = nn.matmul %q, %k : (tensor<8x512x32xf32>, tensor<8x32x512xf32>) -> tensor<8x512x512xf32>
  %y = nn.softmax %s {axis = 2 : i64} : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %a = nn.exp %more : (tensor<64x512x512xf32>) -> tensor<64x512x512xf32>
  %b = nn.softmax %a {axis = 1 : i64} : (tensor<64x512x512xf32>) -> tensor<64x512x512xf32>
  func.return %y, %b : tensor<8x512x512xf32>, tensor<64x512x512xf32>
}

// CHECK-NOT: attention
// CHECK-COUNT-4: nn.kernel(
// CHECK-NOT: attention
