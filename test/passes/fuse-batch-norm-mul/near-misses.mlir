// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-batch-norm-mul | diff %t -

// What must stay as it is.

func.func @two_users(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.sub %s, %n : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %r : tensor<1x3x4x4xf32>
}

func.func @graph_output(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s, %n : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>
}

func.func @factor_not_constant(%x: tensor<1x3x4x4xf32>, %c: tensor<3x1x1xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @scale_not_constant(%x: tensor<1x3x4x4xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @shift_not_constant(%x: tensor<1x3x4x4xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @not_per_channel(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<2.0 : tensor<1x4xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<1x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @along_the_width(%x: tensor<1x3x4x3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x3xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x3xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x3xf32>, tensor<3xf32>) -> tensor<1x3x4x3xf32>
  func.return %s : tensor<1x3x4x3xf32>
}
