// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A row narrower than a vector takes the widest power of two that it fills.

func.func @f(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<8x3xf32>) -> tensor<8x3xf32> {
  ^bb0(%x_: tensor<8x3xf32>):
    %v = nn.exp %x_ : (tensor<8x3xf32>) -> tensor<8x3xf32>
    nn.yield %v : tensor<8x3xf32>
  }
  func.return %y : tensor<8x3xf32>
}

// CHECK:       halide.split %out "x" to "xo", "xi" by 2 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK:       halide.vectorize %out "xi" : !halide.func<f32, 2>
