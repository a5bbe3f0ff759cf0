// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s

// The filter of one of several groups stays in the first-level cache, so that tiles of two vectors and four pixels cost
// less than tiles of one vector and seven, though the latter divide a row.

// CHECK-LABEL: func.func @whole
// CHECK:       config<grouped_conv, tile = [16, 4], pack = [16], order = [x, y, c], unroll = [3], rows = []>
func.func @whole(%x: tensor<1x7x7x768xf32>) -> tensor<1x7x7x768xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<3x3x16x768xf32>>
  %y = nn.kernel(%x, %w) : (tensor<1x7x7x768xf32>, tensor<3x3x16x768xf32>) -> tensor<1x7x7x768xf32> {
  ^bb0(%i: tensor<1x7x7x768xf32>, %k: tensor<3x3x16x768xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 48 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x7x7x768xf32>, tensor<3x3x16x768xf32>) -> tensor<1x7x7x768xf32>
    nn.yield %v : tensor<1x7x7x768xf32>
  }
  func.return %y : tensor<1x7x7x768xf32>
}

// CHECK-LABEL: func.func @part
// CHECK:       config<grouped_conv, tile = [16, 4], pack = [16], order = [x, y, c], unroll = [4], rows = []>
func.func @part(%x: tensor<1x7x7x1024xf32>) -> tensor<1x7x7x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<3x3x32x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<1x7x7x1024xf32>, tensor<3x3x32x1024xf32>) -> tensor<1x7x7x1024xf32> {
  ^bb0(%i: tensor<1x7x7x1024xf32>, %k: tensor<3x3x32x1024xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 32 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x7x7x1024xf32>, tensor<3x3x32x1024xf32>) -> tensor<1x7x7x1024xf32>
    nn.yield %v : tensor<1x7x7x1024xf32>
  }
  func.return %y : tensor<1x7x7x1024xf32>
}
