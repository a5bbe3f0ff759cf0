// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// Channels of a tile are a power of two.

func.func @f(%x: tensor<1x8x12x40xf32>, %w: tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<depthwise, tile = [12, 3, 1]>} : (tensor<1x8x12x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32> {
  ^bb0(%i: tensor<1x8x12x40xf32>, %k: tensor<3x3x1x40xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 40 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32>
    nn.yield %v : tensor<1x8x12x40xf32>
  }
  func.return %y : tensor<1x8x12x40xf32>
}

// CHECK: error: 'nn.kernel' op knob tile of depthwise is one of [1, 1, 1], [1, 1, 2], {{.*}}, …, found #nn.config<depthwise, tile = [12, 3, 1]>
