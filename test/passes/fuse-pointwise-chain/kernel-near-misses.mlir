// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-pointwise-chain | diff %t -

// Chosen kernels are closed, anchors take no prologue, no kernel is made inside another.

func.func @chosen(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%i0: tensor<8xf32>):
    %k = nn.relu %i0 : (tensor<8xf32>) -> tensor<8xf32>
    nn.yield %k : tensor<8xf32>
  }
  %s = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

func.func @movement_inside(%x: tensor<8xf32>) -> tensor<2x4xf32> {
  %y = nn.kernel(%x) : (tensor<8xf32>) -> tensor<2x4xf32> {
  ^bb0(%i0: tensor<8xf32>):
    %k = nn.reshape %i0 : (tensor<8xf32>) -> tensor<2x4xf32>
    nn.yield %k : tensor<2x4xf32>
  }
  %s = nn.tanh %y : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %s : tensor<2x4xf32>
}

func.func @anchor_in_a_kernel(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %z = nn.tanh %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = nn.kernel(%z, %w) : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  ^bb0(%i0: tensor<1x2x4x4xf32>, %i1: tensor<3x2x1x1xf32>):
    %c = nn.conv %i0, %i1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
    nn.yield %c : tensor<1x3x4x4xf32>
  }
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @inside(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = nn.kernel(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%i0: tensor<8xf32>):
    %k = nn.relu %i0 : (tensor<8xf32>) -> tensor<8xf32>
    %t = nn.tanh %k : (tensor<8xf32>) -> tensor<8xf32>
    nn.yield %t : tensor<8xf32>
  }
  func.return %y : tensor<8xf32>
}
