// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-matmul-relu | diff %t -

// What must stay as it is.

func.func @two_users(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = nn.relu %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = nn.mul %r, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @graph_output(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = nn.relu %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r, %y : tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @has_relu(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b {activation = #nn<activation relu>} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = nn.relu %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

func.func @has_relu6(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b {activation = #nn<activation relu6>} : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = nn.relu %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

func.func @other_activation(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %r = nn.leaky_relu %y {alpha = 0.1 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}
