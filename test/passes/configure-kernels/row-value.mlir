// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// Vectors are no wider than those of the machine.

func.func @f(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row, vector = [64]>} : (tensor<8x32xf32>) -> tensor<8x32xf32> {
  ^bb0(%i: tensor<8x32xf32>):
    %v = nn.softmax %i {axis = 1 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    nn.yield %v : tensor<8x32xf32>
  }
  func.return %y : tensor<8x32xf32>
}

// CHECK: error: 'nn.kernel' op knob vector of row is one of [16], [32], found #nn.config<row, vector = [64]>
