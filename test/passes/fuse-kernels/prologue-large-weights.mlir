// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=2M --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s --check-prefix=SMALL

// Near miss: rows, those that they are made of and the weights do not stay in the cache together.

func.func @f(%x: tensor<784x512xf32>, %w: tensor<512x256xf32>) -> tensor<784x256xf32> {
  %a = nn.relu %x : (tensor<784x512xf32>) -> tensor<784x512xf32>
  %y = nn.matmul %a, %w : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32>
  func.return %y : tensor<784x256xf32>
}

// CHECK:     nn.kernel(%x, %w) :
// CHECK-NOT: nn.kernel(

// SMALL-COUNT-2: nn.kernel(
