// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-matmul-add | diff %t -

// What must stay as it is.

func.func @two_users(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %r = nn.mul %s, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

func.func @graph_output(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %s, %y : tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @has_bias(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %d: tensor<3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b, %d : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @relu_between(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %v = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %y = nn.relu %v : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @not_constant(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %c: tensor<3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @widens(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<5x1x1xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<5x1x1xf32>) -> tensor<5x2x3xf32>
  func.return %s : tensor<5x2x3xf32>
}

func.func @widens_rows(%a: tensor<1x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1xf32>>
  %y = nn.matmul %a, %b : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
  %s = nn.add %y, %c : (tensor<1x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}
