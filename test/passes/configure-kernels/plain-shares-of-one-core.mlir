// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// One core has nothing to share.

func.func @f(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain, shares = [4]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
  ^bb0(%i: tensor<64x60xf32>):
    %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
    nn.yield %v : tensor<64x60xf32>
  }
  func.return %y : tensor<64x60xf32>
}

// CHECK: error: 'nn.kernel' op template plain has no knob 'shares' here; known are vector, unroll
