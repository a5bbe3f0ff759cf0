// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:l2=3M --fuse-kernels | filecheck %s --check-prefix=LARGE

// Scores that take a quarter of the second-level cache at most are left there.

func.func @f(%q: tensor<12x128x32xf32>, %k: tensor<12x32x128xf32>, %v: tensor<12x128x32xf32>) -> tensor<12x128x32xf32> {
  %s = nn.matmul %q, %k : (tensor<12x128x32xf32>, tensor<12x32x128xf32>) -> tensor<12x128x128xf32>
  %w = nn.softmax %s {axis = 2 : i64} : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
  %y = nn.matmul %w, %v : (tensor<12x128x128xf32>, tensor<12x128x32xf32>) -> tensor<12x128x32xf32>
  func.return %y : tensor<12x128x32xf32>
}

// CHECK: %y = nn.kernel(%q, %k, %v) {config = #nn.config<attention, bands = [32, 32, 32, 32]>}
// CHECK-NOT: nn.kernel(

// LARGE-NOT: attention
// LARGE-COUNT-3: nn.kernel(
// LARGE-NOT: attention
