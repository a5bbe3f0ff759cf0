// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Along another axis, rows lie side by side in a vector.

func.func @f(%x: tensor<4x7x100xf32>) -> tensor<4x7x100xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row>} : (tensor<4x7x100xf32>) -> tensor<4x7x100xf32> {
  ^bb0(%x_: tensor<4x7x100xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<4x7x100xf32>) -> tensor<4x7x100xf32>
    nn.yield %v : tensor<4x7x100xf32>
  }
  func.return %y : tensor<4x7x100xf32>
}

// CHECK:       halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 3>
// CHECK:       halide.vectorize %out "xi" : !halide.func<f32, 3>
// CHECK:       halide.reorder %out ["xi", "y", "xo", "z"] : !halide.func<f32, 3>
// CHECK:       halide.vectorize %largest "x" by 8 : !halide.func<f32, 3>
// CHECK:       halide.vectorize %largest "x" by 8 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK:       halide.vectorize %power "x" by 8 : !halide.func<f32, 3>
// CHECK:       halide.vectorize %total "x" by 8 : !halide.func<f32, 3>
// CHECK:       halide.vectorize %total "x" by 8 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK:       halide.compute_at %largest at %out "xo" : !halide.func<f32, 3> at !halide.func<f32, 3>
// CHECK:       halide.compute_at %power at %out "xo" : !halide.func<f32, 3> at !halide.func<f32, 3>
// CHECK:       halide.compute_at %total at %out "xo" : !halide.func<f32, 3> at !halide.func<f32, 3>
