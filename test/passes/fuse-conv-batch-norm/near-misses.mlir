// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-conv-batch-norm | diff %t -

// What must stay as it is.

func.func @two_users(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.mul %n, %y : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %r : tensor<1x3x4x4xf32>
}

func.func @graph_output(%x: tensor<1x2x4x4xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n, %y : tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>
}

func.func @relu_between(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %v = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %y = nn.relu %v : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n : tensor<1x3x4x4xf32>
}

func.func @filter_not_constant(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n : tensor<1x3x4x4xf32>
}

func.func @bias_not_constant(%x: tensor<1x2x4x4xf32>, %b: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n : tensor<1x3x4x4xf32>
}

func.func @parameter_not_constant(%x: tensor<1x2x4x4xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n : tensor<1x3x4x4xf32>
}
