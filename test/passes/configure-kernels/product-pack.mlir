// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s

// Packed columns are those of whole tiles.

func.func @f(%x: tensor<60x64xf32>) -> tensor<60x96xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<64x96xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, pack = [1, 2]>} : (tensor<60x64xf32>, tensor<64x96xf32>) -> tensor<60x96xf32> {
  ^bb0(%l: tensor<60x64xf32>, %r: tensor<64x96xf32>):
    %v = nn.matmul %l, %r : (tensor<60x64xf32>, tensor<64x96xf32>) -> tensor<60x96xf32>
    nn.yield %v : tensor<60x96xf32>
  }
  func.return %y : tensor<60x96xf32>
}

// CHECK: error: 'nn.kernel' op knob pack of gemm is one of [], [2, 96], {{.*}}, found #nn.config<gemm, pack = [1, 2]>
