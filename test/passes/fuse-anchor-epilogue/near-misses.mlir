// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-anchor-epilogue | diff %t -

// What must stay as it is.

func.func @two_users(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.tanh %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %t = nn.mul %s, %y : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %t : tensor<1x3x4x4xf32>
}

func.func @graph_output(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.tanh %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s, %y : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>
}

func.func @widened(%x: tensor<1x2xf32>, %c: tensor<5x1xf32>) -> tensor<5x2xf32> {
  %y = nn.softmax %x {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  %s = nn.mul %y, %c : (tensor<1x2xf32>, tensor<5x1xf32>) -> tensor<5x2xf32>
  func.return %s : tensor<5x2xf32>
}

func.func @into_an_anchor(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %z = nn.tanh %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = nn.conv %z, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @two_anchors(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.softmax %y {axis = 1 : i64} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @movement_between(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<3x16xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %q = nn.reshape %y : (tensor<1x3x4x4xf32>) -> tensor<3x16xf32>
  %s = nn.tanh %q : (tensor<3x16xf32>) -> tensor<3x16xf32>
  func.return %s : tensor<3x16xf32>
}

func.func @no_anchor(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = nn.tanh %x : (tensor<8xf32>) -> tensor<8xf32>
  %s = nn.exp %y : (tensor<8xf32>) -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

func.func @parameter_of_a_norm(%x: tensor<2x3xf32>, %a: tensor<1x3xf32>, %c: tensor<3xf32>) -> tensor<2x3xf32> {
  %q = nn.reduce %a {kind = #nn<reduction sum>, axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
  %n = nn.batch_norm %x, %q, %c, %c, %c {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}
