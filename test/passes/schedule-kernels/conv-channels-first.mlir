// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Channels first take the plain template.

func.func @f(%x: tensor<1x4x9x9xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x8x7x7xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x7x7xf32> {
  ^bb0(%x_: tensor<1x4x9x9xf32>, %w_: tensor<8x4x3x3xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x9x9xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x7x7xf32>
    nn.yield %v : tensor<1x8x7x7xf32>
  }
  func.return %y : tensor<1x8x7x7xf32>
}

// CHECK:       halide.split %out "x" to "xo", "xi" by 4 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// CHECK:       halide.vectorize %out "xi" : !halide.func<f32, 4>
// CHECK:       halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK:       halide.split %conv "x" to "xo", "xi" by 4 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// CHECK:       halide.vectorize %conv "xi" : !halide.func<f32, 4>
// CHECK:       halide.split %conv "x" to "xo", "xi" by 4 {tail = #halide<tail guard_with_if>, stage = 1 : i64} : !halide.func<f32, 4>
// CHECK:       halide.vectorize %conv "xi" {stage = 1 : i64} : !halide.func<f32, 4>
