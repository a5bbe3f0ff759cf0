// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// A product and the softmax of its rows, which nothing multiplies. Weights will be packed.

func.func @f(%x: tensor<65536x32xf32>) -> tensor<65536x21xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<32x21xf32>>
  %s = nn.matmul %x, %w : (tensor<65536x32xf32>, tensor<32x21xf32>) -> tensor<65536x21xf32>
  %y = nn.softmax %s {axis = 1 : i64} : (tensor<65536x21xf32>) -> tensor<65536x21xf32>
  func.return %y : tensor<65536x21xf32>
}

// CHECK: %y = nn.kernel(%x, %w) {config = #nn.config<attention, bands = [{{[0-9]+, [0-9]+, [0-9]+}}]>}
// CHECK: nn.matmul
// CHECK: nn.softmax
// CHECK-NOT: nn.kernel(
