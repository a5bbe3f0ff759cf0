// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Smaller elements, more lanes.

func.func @f(%x: tensor<64xi8>) -> tensor<64xi8> {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<64xi8>) -> tensor<64xi8> {
  ^bb0(%x_: tensor<64xi8>):
    %v = nn.abs %x_ : (tensor<64xi8>) -> tensor<64xi8>
    nn.yield %v : tensor<64xi8>
  }
  func.return %y : tensor<64xi8>
}

// CHECK:       halide.split %out "x" to "xo", "xi" by 32 {tail = #halide<tail shift_inwards>} : !halide.func<i8, 1>
// CHECK:       halide.vectorize %out "xi" : !halide.func<i8, 1>
