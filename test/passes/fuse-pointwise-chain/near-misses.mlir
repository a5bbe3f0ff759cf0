// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-pointwise-chain | diff %t -

// What must stay as it is.

func.func @two_users(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>) {
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.tanh %a : (tensor<8xf32>) -> tensor<8xf32>
  %c = nn.reduce %a {kind = #nn<reduction sum>, axes = array<i64: 0>} : (tensor<8xf32>) -> tensor<f32>
  func.return %b, %c : tensor<8xf32>, tensor<f32>
}

func.func @graph_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.tanh %a : (tensor<8xf32>) -> tensor<8xf32>
  func.return %b, %a : tensor<8xf32>, tensor<8xf32>
}

func.func @widened(%x: tensor<8xf32>, %z: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.add %a, %z : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %b : tensor<4x8xf32>
}

func.func @into_an_anchor(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %z = nn.tanh %x : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = nn.conv %z, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @into_a_softmax(%x: tensor<8xf32>) -> tensor<8xf32> {
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.softmax %a {axis = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
  func.return %b : tensor<8xf32>
}

func.func @out_of_an_anchor(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.tanh %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @movement_between(%x: tensor<8xf32>) -> tensor<2x4xf32> {
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %q = nn.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  %b = nn.tanh %q : (tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %b : tensor<2x4xf32>
}

func.func @parameter_of_a_norm(%x: tensor<2x3xf32>, %c: tensor<3xf32>) -> tensor<2x3xf32> {
  %q = nn.exp %c : (tensor<3xf32>) -> tensor<3xf32>
  %n = nn.batch_norm %x, %q, %c, %c, %c {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}
