// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels 2>&1 | filecheck %s

// A row of 32 channels has two vectors.

// CHECK: error: 'nn.kernel' op knob vectors of row is one of {{.*}}found #nn.config<row, vectors = [3]>

func.func @f(%x: tensor<1x9x9x32xf32>) -> tensor<1x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row, vectors = [3]>} : (tensor<1x9x9x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%x_: tensor<1x9x9x32xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x9x9x32xf32>) -> tensor<1x32xf32>
    nn.yield %v : tensor<1x32xf32>
  }
  func.return %y : tensor<1x32xf32>
}
