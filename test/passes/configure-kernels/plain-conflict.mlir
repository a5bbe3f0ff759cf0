// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// A step is no longer than a row.

func.func @f(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain, unroll = [8]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
  ^bb0(%i: tensor<64x60xf32>):
    %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
    nn.yield %v : tensor<64x60xf32>
  }
  func.return %y : tensor<64x60xf32>
}

// CHECK: error: 'nn.kernel' op 8 vectors have 64 elements, and a row has 60, found #nn.config<plain, vector = [32], unroll = [8]>
