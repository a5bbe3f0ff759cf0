// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// A stack of products, each with rows of its own. Both operands of the sum are read by blocks.

func.func @f(%x: tensor<2x1024x256xf32>, %z: tensor<2x1024x256xf32>, %w: tensor<256x128xf32>) -> tensor<2x1024x128xf32> {
  %s = nn.add %x, %z : (tensor<2x1024x256xf32>, tensor<2x1024x256xf32>) -> tensor<2x1024x256xf32>
  %y = nn.matmul %s, %w : (tensor<2x1024x256xf32>, tensor<256x128xf32>) -> tensor<2x1024x128xf32>
  func.return %y : tensor<2x1024x128xf32>
}

// CHECK:      nn.kernel(%x, %z, %w) :
// CHECK:      nn.add
// CHECK-NEXT: nn.matmul
// CHECK-NOT:  nn.kernel
