// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights | filecheck %s

// No whole vectors of 8 make 3 output channels: one tile of 4, the last channel of zeros.

func.func @f(%x: tensor<1x2x2x2xf32>) -> tensor<1x2x2x3xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<1x1x2x3xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x2x2x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x2x2x3xf32> {
  ^bb0(%x_: tensor<1x2x2x2xf32>, %w_: tensor<1x1x2x3xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x2x2x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x2x2x3xf32>
    nn.yield %v : tensor<1x2x2x3xf32>
  }
  func.return %y : tensor<1x2x2x3xf32>
}

// CHECK:        %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0] : tensor<1x1x1x2x4xf32>>
// CHECK:          %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x2x2x2xf32>, tensor<1x1x1x2x4xf32>) -> tensor<1x2x2x3xf32>
