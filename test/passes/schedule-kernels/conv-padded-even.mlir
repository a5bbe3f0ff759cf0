// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=ONE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=TWO
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=3 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=THREE

// Bands of padded rows are as high as gives every core as many rows: 28 are 7 bands of four, but 4 of seven.
// The last of several bands that threads share ends early, and has as many padded rows as the others.

func.func @f(%x: tensor<1x28x28x128xf32>, %w: tensor<3x3x128x32xf32>) -> tensor<1x28x28x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x28x28x32xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<3x3x128x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x28x28x32xf32>
    nn.yield %v : tensor<1x28x28x32xf32>
  }
  func.return %y : tensor<1x28x28x32xf32>
}

// ONE:   halide.split %out "y" to "yo", "yt" by 4 : !halide.func<f32, 4>
// TWO:   halide.split %out "y" to "yo", "yt" by 7 : !halide.func<f32, 4>
// TWO:   halide.parallel %out "yo" : !halide.func<f32, 4>
// THREE: halide.split %out "y" to "yo", "yt" by 5 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// THREE: halide.bound_extent %padded "y" extent 7 : !halide.func<f32, 4>
// THREE: halide.parallel %out "yo" : !halide.func<f32, 4>
