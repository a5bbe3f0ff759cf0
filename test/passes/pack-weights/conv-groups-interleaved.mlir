// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights | filecheck %s

// Two groups of 2 channels make one tile of 4 lanes, the channels of one beside those of the other.

func.func @f(%x: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] : tensor<1x1x2x4xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv, tile = [4, 8], pack = [4]>} : (tensor<1x2x8x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x2x8x4xf32> {
  ^bb0(%x_: tensor<1x2x8x4xf32>, %w_: tensor<1x1x2x4xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x2x8x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x2x8x4xf32>
    nn.yield %v : tensor<1x2x8x4xf32>
  }
  func.return %y : tensor<1x2x8x4xf32>
}

// CHECK:        %0 = nn.constant #nn.dense<[1.0, 3.0, 2.0, 4.0, 5.0, 7.0, 6.0, 8.0] : tensor<1x1x1x2x4xf32>>
// CHECK:          filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 4 interleaved 2>} : (tensor<1x2x8x4xf32>, tensor<1x1x1x2x4xf32>) -> tensor<1x2x8x4xf32>
