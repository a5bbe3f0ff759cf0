// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s

// Knobs go together.

func.func @f(%x: tensor<60x64xf32>) -> tensor<60x96xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<64x96xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, tile = [32, 7], block = [20]>} : (tensor<60x64xf32>, tensor<64x96xf32>) -> tensor<60x96xf32> {
  ^bb0(%l: tensor<60x64xf32>, %r: tensor<64x96xf32>):
    %v = nn.matmul %l, %r : (tensor<60x64xf32>, tensor<64x96xf32>) -> tensor<60x96xf32>
    nn.yield %v : tensor<60x96xf32>
  }
  func.return %y : tensor<60x96xf32>
}

// CHECK: error: 'nn.kernel' op a block of 20 tiles of rows exceeds the 9 that there are, found #nn.config<gemm, tile = [32, 7], pack = [16, 96], block = [20], fetch = [{{.*}}]>
