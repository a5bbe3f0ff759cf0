// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Vectors of four, the squares of three pixels, a loop over neighbours.

func.func @f(%x: tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32> {
  %y = nn.kernel(%x) {config = #nn.config<lrn, vector = [16], tile = [3], unroll = []>} : (tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32> {
  ^bb0(%i: tensor<1x5x12x24xf32>):
    %v = nn.lrn %i {size = 5 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32>
    nn.yield %v : tensor<1x5x12x24xf32>
  }
  func.return %y : tensor<1x5x12x24xf32>
}

// CHECK:      config<lrn, vector = [16], tile = [3], unroll = []>
// CHECK:      halide.split %out "c" to "co", "ct" by 4 : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %out "x" to "xo", "xt" by 3 : !halide.func<f32, 4>
// CHECK:      halide.vectorize %squares "c" by 4
// CHECK:      halide.vectorize %square_sum "c" by 4 {stage = 1 : i64}
// CHECK-NEXT: }
