// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s

// A tile is no wider than a row, whatever room a vector has.

func.func @f(%x: tensor<1x28x5x1xf32>, %w: tensor<5x5x1x1xf32>) -> tensor<1x28x5x1xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [1, 8], pixels = [8]>} : (tensor<1x28x5x1xf32>, tensor<5x5x1x1xf32>) -> tensor<1x28x5x1xf32> {
  ^bb0(%l: tensor<1x28x5x1xf32>, %r: tensor<5x5x1x1xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x5x1xf32>, tensor<5x5x1x1xf32>) -> tensor<1x28x5x1xf32>
    nn.yield %v : tensor<1x28x5x1xf32>
  }
  func.return %y : tensor<1x28x5x1xf32>
}

// CHECK: error: 'nn.kernel' op knob tile of direct_conv is one of [1, 1], [1, 2], [1, 3], [1, 4], [1, 5], found #nn.config<direct_conv
