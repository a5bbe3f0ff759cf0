// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// 17 tiles: the second group of nine moves inwards over the first.

func.func @f(%x: tensor<1x4x68x16xf32>, %w: tensor<1x6x6x16x32xf32>) -> tensor<1x4x68x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x4x68x16xf32>, tensor<1x6x6x16x32xf32>) -> tensor<1x4x68x32xf32> {
  ^bb0(%x_: tensor<1x4x68x16xf32>, %w_: tensor<1x6x6x16x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x4x68x16xf32>, tensor<1x6x6x16x32xf32>) -> tensor<1x4x68x32xf32>
    nn.yield %v : tensor<1x4x68x32xf32>
  }
  func.return %y : tensor<1x4x68x32xf32>
}

// CHECK: halide.split %products "t" to "to", "tt" by 9 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 5>
