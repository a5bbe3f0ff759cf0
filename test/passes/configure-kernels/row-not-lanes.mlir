// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// A softmax of columns is not folded in lanes.

func.func @f(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row, unroll = [8]>} : (tensor<8x32xf32>) -> tensor<8x32xf32> {
  ^bb0(%i: tensor<8x32xf32>):
    %v = nn.softmax %i {axis = 0 : i64} : (tensor<8x32xf32>) -> tensor<8x32xf32>
    nn.yield %v : tensor<8x32xf32>
  }
  func.return %y : tensor<8x32xf32>
}

// CHECK: error: 'nn.kernel' op template row has no knob 'unroll' here; known are vector
