// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s

// Rows of the left-hand side are a multiple of 4096 bytes apart, and their lines share one set of the
// L1 cache: a tile has no more rows than the set has ways.

func.func @f(%x: tensor<16x4096xf32>) -> tensor<16x96xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<4096x96xf32>>
  %y = nn.kernel(%x, %w) : (tensor<16x4096xf32>, tensor<4096x96xf32>) -> tensor<16x96xf32> {
  ^bb0(%l: tensor<16x4096xf32>, %r: tensor<4096x96xf32>):
    %v = nn.matmul %l, %r : (tensor<16x4096xf32>, tensor<4096x96xf32>) -> tensor<16x96xf32>
    nn.yield %v : tensor<16x96xf32>
  }
  func.return %y : tensor<16x96xf32>
}

// CHECK: #nn.config<gemm, tile = [48, {{[1-8]}}], pack = [16, 96]
