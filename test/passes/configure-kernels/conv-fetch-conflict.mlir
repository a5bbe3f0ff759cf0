// RUN: not autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-sapphirerapids --configure-kernels 2>&1 | filecheck %s

// A filter is fetched ahead where one tile of it serves all pixels, and lies in one run of memory.

func.func @order(%x: tensor<1x15x15x512xui8>) -> tensor<1x7x7x512xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x512x512xi8>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, order = [x, c, y], fetch = [1]>} : (tensor<1x15x15x512xui8>, tensor<3x3x512x512xi8>) -> tensor<1x7x7x512xi32> {
  ^bb0(%i: tensor<1x15x15x512xui8>, %f: tensor<3x3x512x512xi8>):
    %v = nn.conv %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, accumulator = i32, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x15x15x512xui8>, tensor<3x3x512x512xi8>) -> tensor<1x7x7x512xi32>
    nn.yield %v : tensor<1x7x7x512xi32>
  }
  func.return %y : tensor<1x7x7x512xi32>
}

// CHECK: error: 'nn.kernel' op a filter is fetched where all pixels are computed for a tile of it, found #nn.config<direct_conv, {{.*}}order = [x, c, y]

// -----

func.func @unrolled(%x: tensor<1x15x15x64xui8>) -> tensor<1x7x7x2048xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x64x2048xi8>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, order = [x, y, c], unroll = [16], fetch = [1]>} : (tensor<1x15x15x64xui8>, tensor<3x3x64x2048xi8>) -> tensor<1x7x7x2048xi32> {
  ^bb0(%i: tensor<1x15x15x64xui8>, %f: tensor<3x3x64x2048xi8>):
    %v = nn.conv %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, accumulator = i32, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x15x15x64xui8>, tensor<3x3x64x2048xi8>) -> tensor<1x7x7x2048xi32>
    nn.yield %v : tensor<1x7x7x2048xi32>
  }
  func.return %y : tensor<1x7x7x2048xi32>
}

// CHECK: error: 'nn.kernel' op of 16 steps over inputs, fewer are unrolled where lines are fetched, found #nn.config<direct_conv, {{.*}}unroll = [16]

// -----

func.func @floats(%x: tensor<1x15x15x512xf32>) -> tensor<1x7x7x512xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<3x3x512x512xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, fetch = [1]>} : (tensor<1x15x15x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%i: tensor<1x15x15x512xf32>, %f: tensor<3x3x512x512xf32>):
    %v = nn.conv %i, %f {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x15x15x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  func.return %y : tensor<1x7x7x512xf32>
}

// CHECK: error: 'nn.kernel' op {{.*}}fetch
