// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-swish | diff %t -

// What must stay as it is.

func.func @gate_is_repeated(%x: tensor<4x8xf32>, %y: tensor<8xf32>) -> tensor<4x8xf32> {
  %s = nn.sigmoid %y : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  func.return %p : tensor<4x8xf32>
}

func.func @gated_is_repeated(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = nn.sigmoid %y : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %p : tensor<4x8xf32>
}

func.func @gate_has_two_users(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %y : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = nn.add %p, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

func.func @sigmoid_has_two_users(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = nn.add %p, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

func.func @sigmoid_is_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %s = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %s : tensor<8xf32>, tensor<8xf32>
}

func.func @sigmoid_squared(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %s, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @other_function(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.tanh %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @sum(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.add %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @widened(%x: tensor<8xf32>) -> tensor<8x8xf32> {
  %c = nn.reshape %x : (tensor<8xf32>) -> tensor<8x1xf32>
  %s = nn.sigmoid %c : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  func.return %p : tensor<8x8xf32>
}
