// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// A config names a template that there is.

func.func @unknown(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) {config = #nn.config<gemmm>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<4xf32>):
    %a = nn.exp %i : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %a : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK: error: 'nn.kernel' op unknown template 'gemmm'; did you mean 'gemm'?; known are amx, attention, copy,
