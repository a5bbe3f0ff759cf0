// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=4 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A step of four vectors of four; one core computes all.

func.func @f(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain, vector = [16], unroll = [4], shares = []>} : (tensor<64x100xf32>) -> tensor<64x100xf32> {
  ^bb0(%i: tensor<64x100xf32>):
    %v = nn.exp %i : (tensor<64x100xf32>) -> tensor<64x100xf32>
    nn.yield %v : tensor<64x100xf32>
  }
  func.return %y : tensor<64x100xf32>
}

// CHECK:      config<plain, vector = [16], unroll = [4], shares = []>
// CHECK:      halide.split %out "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "xi" to "xv", "xi" by 4 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "xv" : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK-NEXT: }
