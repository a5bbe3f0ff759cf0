// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels 2>&1 | filecheck %s

// Parts have as many rows each.

// CHECK: error: 'nn.kernel' op knob rows of row is one of {{.*}}found #nn.config<row, rows = [4]>

func.func @f(%x: tensor<1x9x9x32xf32>) -> tensor<1x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row, rows = [4]>} : (tensor<1x9x9x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%x_: tensor<1x9x9x32xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x9x9x32xf32>) -> tensor<1x32xf32>
    nn.yield %v : tensor<1x32xf32>
  }
  func.return %y : tensor<1x32xf32>
}
