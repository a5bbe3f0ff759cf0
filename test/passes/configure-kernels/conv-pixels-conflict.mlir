// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s
// RUN: sed 's/pixels = \[4\]/pixels = [2], tile = [8, 7]/' %s > %t.mlir
// RUN: not autodeploy-opt %t.mlir --set-machine=machine=x86-64-avx512 --configure-kernels 2>&1 | filecheck %s --check-prefix=TILE

// A vector has room for the pixels beside the channels, and the pixels of a tile are whole vectors.

func.func @f(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, pixels = [4]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x8xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32>
    nn.yield %v : tensor<1x28x28x8xf32>
  }
  func.return %y : tensor<1x28x28x8xf32>
}

// CHECK: error: 'nn.kernel' op vectors have no room for 4 pixels of 8 channels in a row, found #nn.config<direct_conv
// TILE: error: 'nn.kernel' op vectors of 2 pixels divide the 7 of a tile, found #nn.config<direct_conv
