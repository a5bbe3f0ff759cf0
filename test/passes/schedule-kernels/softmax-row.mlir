// RUN: autodeploy-opt %s --convert-nn-to-halide --schedule-kernels=machine=x86-64-avx2 | filecheck %s

// What a row needs is computed once a row.

func.func @f(%x: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %y = nn.kernel(%x) {algorithm = #nn<algorithm softmax>} : (tensor<4x100xf32>) -> tensor<4x100xf32> {
  ^bb0(%x_: tensor<4x100xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<4x100xf32>) -> tensor<4x100xf32>
    nn.yield %v : tensor<4x100xf32>
  }
  func.return %y : tensor<4x100xf32>
}

// CHECK:       halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK:       halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK:       halide.vectorize %power "x" by 8 : !halide.func<f32, 2>
// CHECK:       halide.compute_at %largest at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK:       halide.compute_at %power at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK:       halide.compute_at %total at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
