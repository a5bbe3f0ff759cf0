// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --flatten-add-parameter | diff %t -

// What must stay as it is.

func.func @flat(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @column(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1xf32>>
  %y = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @scalar(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<1.0 : tensor<f32>>
  %y = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @not_constant(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>, %c: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @other_operand(%a: tensor<1x4xf32>, %b: tensor<4x3xf32>) -> tensor<1x3xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<1x4xf32>>
  %y = nn.matmul %c, %b : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @add(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}
