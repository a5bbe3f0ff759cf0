// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-anchor-epilogue | diff %t -

// A kernel whose config is chosen is closed, and no kernel is made inside another.

func.func @chosen(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  ^bb0(%i0: tensor<1x2x4x4xf32>, %i1: tensor<3x2x1x1xf32>):
    %c = nn.conv %i0, %i1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
    nn.yield %c : tensor<1x3x4x4xf32>
  }
  %s = nn.tanh %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @inside(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  ^bb0(%i0: tensor<1x2x4x4xf32>, %i1: tensor<3x2x1x1xf32>):
    %c = nn.conv %i0, %i1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
    %t = nn.tanh %c : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
    nn.yield %t : tensor<1x3x4x4xf32>
  }
  func.return %y : tensor<1x3x4x4xf32>
}
