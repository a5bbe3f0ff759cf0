// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s
// RUN: sed 's/fetch = \[4, rhs\], unroll = \[8\]/fetch = [], unroll = [4]/' %s > %t.mlir
// RUN: not autodeploy-opt %t.mlir --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s

// What is unrolled is a part of the steps to a prefetch; without one, nothing is.

func.func @f(%x: tensor<384x768xf32>) -> tensor<384x3072xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<768x3072xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, fetch = [4, rhs], unroll = [8]>} : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32> {
  ^bb0(%l: tensor<384x768xf32>, %r: tensor<768x3072xf32>):
    %v = nn.matmul %l, %r : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32>
    nn.yield %v : tensor<384x3072xf32>
  }
  func.return %y : tensor<384x3072xf32>
}

// CHECK: error: 'nn.kernel' op the steps that are unrolled divide those to a prefetch, found #nn.config<gemm
