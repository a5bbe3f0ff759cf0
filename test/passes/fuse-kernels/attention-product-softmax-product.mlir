// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=4 --fuse-kernels | filecheck %s --check-prefix=CORES
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --fuse-kernels | filecheck %s --check-prefix=AVX2

// Scores and their softmax are larger than the second-level cache: bands of both stay there. Scale and mask stay between.

func.func @f(%q: tensor<1x12x512x32xf32>, %k: tensor<1x12x32x512xf32>, %m: tensor<1x1x1x512xf32>, %v: tensor<1x12x512x32xf32>) -> tensor<1x12x512x32xf32> {
  %s = nn.kernel(%q, %k, %m) : (tensor<1x12x512x32xf32>, tensor<1x12x32x512xf32>, tensor<1x1x1x512xf32>) -> tensor<1x12x512x512xf32> {
  ^bb0(%a: tensor<1x12x512x32xf32>, %b: tensor<1x12x32x512xf32>, %c: tensor<1x1x1x512xf32>):
    %h = nn.constant #nn.dense<0.17677669 : tensor<f32>>
    %p = nn.matmul %a, %b : (tensor<1x12x512x32xf32>, tensor<1x12x32x512xf32>) -> tensor<1x12x512x512xf32>
    %r = nn.mul %p, %h : (tensor<1x12x512x512xf32>, tensor<f32>) -> tensor<1x12x512x512xf32>
    %t = nn.add %r, %c : (tensor<1x12x512x512xf32>, tensor<1x1x1x512xf32>) -> tensor<1x12x512x512xf32>
    nn.yield %t : tensor<1x12x512x512xf32>
  }
  %w = nn.softmax %s {axis = 3 : i64} : (tensor<1x12x512x512xf32>) -> tensor<1x12x512x512xf32>
  %y = nn.matmul %w, %v : (tensor<1x12x512x512xf32>, tensor<1x12x512x32xf32>) -> tensor<1x12x512x32xf32>
  func.return %y : tensor<1x12x512x32xf32>
}

// CHECK: %y = nn.kernel(%q, %k, %m, %v) {config = #nn.config<attention, bands = [8, 8, 8, 8]>}
// CHECK: %p = nn.matmul %a, %b
// CHECK: %r = nn.mul %p, %h
// CHECK: %t = nn.add %r, %c
// CHECK: %w = nn.softmax %t
// CHECK: %y_1 = nn.matmul %w, %v_1
// CHECK-NOT: nn.kernel(

// CORES: nn.kernel(%q, %k, %m, %v) {config = #nn.config<attention, bands = [8, 8, 8, 8]>}
// CORES-NOT: nn.kernel(

// AVX2: nn.kernel(%q, %k, %m, %v) {config = #nn.config<attention, bands = [6, 6, 6, 6]>}
// AVX2-NOT: nn.kernel(
