// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// A row of one element has no vectors to unroll.

func.func @f(%x: tensor<64x1xf32>) -> tensor<64x1xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain, unroll = [2]>} : (tensor<64x1xf32>) -> tensor<64x1xf32> {
  ^bb0(%i: tensor<64x1xf32>):
    %v = nn.exp %i : (tensor<64x1xf32>) -> tensor<64x1xf32>
    nn.yield %v : tensor<64x1xf32>
  }
  func.return %y : tensor<64x1xf32>
}

// CHECK: error: 'nn.kernel' op single elements are not unrolled, found #nn.config<plain, vector = [32], unroll = [2]>
