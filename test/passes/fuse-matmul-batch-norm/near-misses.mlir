// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-matmul-batch-norm | diff %t -

// What must stay as it is.

func.func @two_users(%a: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %r = nn.mul %n, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

func.func @graph_output(%a: tensor<2x2xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n, %y : tensor<2x3xf32>, tensor<2x3xf32>
}

func.func @relu_between(%a: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %v = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = nn.relu %v : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @rhs_not_constant(%a: tensor<2x2xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @bias_not_constant(%a: tensor<2x2xf32>, %c: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b, %c : (tensor<2x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @parameter_not_constant(%a: tensor<2x2xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @rank_3_channels_are_rows(%a: tensor<5x3x2xf32>) -> tensor<5x3x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<5x3x2xf32>, tensor<2x3xf32>) -> tensor<5x3x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<5x3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<5x3x3xf32>
  func.return %n : tensor<5x3x3xf32>
}
