// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights | filecheck %s

// A part belongs to one group: two groups of 3 channels are two tiles, not one of 6.

func.func @f(%x: tensor<1x2x2x4xf32>) -> tensor<1x2x2x6xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0] : tensor<1x1x2x6xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv, parts = [2]>} : (tensor<1x2x2x4xf32>, tensor<1x1x2x6xf32>) -> tensor<1x2x2x6xf32> {
  ^bb0(%x_: tensor<1x2x2x4xf32>, %w_: tensor<1x1x2x6xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x2x2x4xf32>, tensor<1x1x2x6xf32>) -> tensor<1x2x2x6xf32>
    nn.yield %v : tensor<1x2x2x6xf32>
  }
  func.return %y : tensor<1x2x2x6xf32>
}

// CHECK:        %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0, 0.0, 7.0, 8.0, 9.0, 0.0, 4.0, 5.0, 6.0, 0.0, 10.0, 11.0, 12.0, 0.0] : tensor<2x1x1x2x4xf32>>
// CHECK:          %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x2x2x4xf32>, tensor<2x1x1x2x4xf32>) -> tensor<1x2x2x6xf32>
