// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-matmul-batch-norm | diff %t -

// Each parameter of the normalisation has to be a constant.

func.func @scale(%a: tensor<2x2xf32>, %scale: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @shift(%a: tensor<2x2xf32>, %shift: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @mean(%a: tensor<2x2xf32>, %mean: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @var(%a: tensor<2x2xf32>, %var: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}
