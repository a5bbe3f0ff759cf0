// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=plain=true --convert-nn-to-halide --schedule-kernels | filecheck %s

// The plain template computes the sum where its output is, tiles nothing.

func.func @f(%x: tensor<1x30x28x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x28x26x64xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x30x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x26x64xf32> {
  ^bb0(%x_: tensor<1x30x28x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x26x64xf32>
    nn.yield %v : tensor<1x28x26x64xf32>
  }
  func.return %y : tensor<1x28x26x64xf32>
}

// CHECK:       halide.split %out "c" to "co", "ci" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// CHECK:       halide.vectorize %out "ci" : !halide.func<f32, 4>
// CHECK:       halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK:       halide.vectorize %conv "c" by 8 : !halide.func<f32, 4>
// CHECK:       halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
