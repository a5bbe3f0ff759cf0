// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// The innermost dimension is vectorised by the machine's lanes.

func.func @f(%x: tensor<3x100xf32>) -> tensor<3x100xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<3x100xf32>) -> tensor<3x100xf32> {
  ^bb0(%x_: tensor<3x100xf32>):
    %v = nn.exp %x_ : (tensor<3x100xf32>) -> tensor<3x100xf32>
    nn.yield %v : tensor<3x100xf32>
  }
  func.return %y : tensor<3x100xf32>
}

// AVX2:       halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// AVX2:       halide.vectorize %out "xi" : !halide.func<f32, 2>

// NEON:       halide.split %out "x" to "xo", "xi" by 4 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// NEON:       halide.vectorize %out "xi" : !halide.func<f32, 2>
