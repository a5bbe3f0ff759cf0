// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// The product between two softmaxes is part of one chain only, and the second softmax of none.

func.func @f(%x: tensor<2048x64xf32>, %a: tensor<64x1024xf32>, %b: tensor<1024x64xf32>) -> tensor<2048x64xf32> {
  %s = nn.matmul %x, %a : (tensor<2048x64xf32>, tensor<64x1024xf32>) -> tensor<2048x1024xf32>
  %w = nn.softmax %s {axis = 1 : i64} : (tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %t = nn.matmul %w, %b : (tensor<2048x1024xf32>, tensor<1024x64xf32>) -> tensor<2048x64xf32>
  %y = nn.softmax %t {axis = 1 : i64} : (tensor<2048x64xf32>) -> tensor<2048x64xf32>
  func.return %y : tensor<2048x64xf32>
}

// CHECK: %t = nn.kernel(%x, %a, %b) {config = #nn.config<attention, bands = [54, 54, 54, 54]>}
// CHECK: %y = nn.kernel(%t) :
// CHECK: nn.softmax
// CHECK-NOT: nn.kernel(
