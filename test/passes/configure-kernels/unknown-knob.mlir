// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// A config has the knobs of its template.


func.func @f(%x: tensor<1x14x14x8xf32>) -> tensor<1x14x14x32xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1x1x8x32xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tiles = [8, 5]>} : (tensor<1x14x14x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x14x14x32xf32> {
  ^bb0(%i: tensor<1x14x14x8xf32>, %k: tensor<1x1x8x32xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x8xf32>, tensor<1x1x8x32xf32>) -> tensor<1x14x14x32xf32>
    nn.yield %v : tensor<1x14x14x32xf32>
  }
  func.return %y : tensor<1x14x14x32xf32>
}

// CHECK: error: 'nn.kernel' op template direct_conv has no knob 'tiles' here; did you mean 'tile'?; known are tile, pack, order, unroll
