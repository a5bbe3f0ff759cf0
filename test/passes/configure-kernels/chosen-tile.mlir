// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights --fold-nn-constants | filecheck %s --check-prefix=PACKED
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights --fold-nn-constants --convert-nn-to-halide --schedule-kernels | filecheck %s

// The packing of the filter and the schedule follow what is written down; the other knobs are those of the rule.

func.func @f(%x: tensor<1x14x14x8xf32>) -> tensor<1x14x14x32xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1x1x8x32xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [8, 7], order = [x, y, c]>} : (tensor<1x14x14x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x14x14x32xf32> {
  ^bb0(%i: tensor<1x14x14x8xf32>, %k: tensor<1x1x8x32xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x14x14x32xf32>
    nn.yield %v : tensor<1x14x14x32xf32>
  }
  func.return %y : tensor<1x14x14x32xf32>
}

// PACKED: nn.kernel({{.*}}) {config = #nn.config<direct_conv, tile = [8, 7], pack = [8], order = [x, y, c], unroll = [4]>} : (tensor<1x14x14x8xf32>, tensor<4x1x1x8x8xf32>)
// CHECK:  config<direct_conv, tile = [8, 7], pack = [8], order = [x, y, c], unroll = [4]>
// CHECK:  halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// CHECK:  halide.split %out "x" to "xo", "xt" by 7 : !halide.func<f32, 4>
// CHECK:  halide.reorder %out ["ct", "xt", "xo", "y", "n", "co"] : !halide.func<f32, 4>
