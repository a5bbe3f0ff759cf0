// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.batch_norm asks of its operands.

func.func @f(%x: tensor<3xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  // expected-error@+1 {{x has rank 2 or more, found tensor<3xf32> [batch_norm_c1]}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %scale: tensor<3xf32>, %shift: tensor<4xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  // expected-error@+1 {{expected parameters of 3 channels, found tensor<4xf32> [batch_norm_c2]}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3x1xf32>) {
  // expected-error@+1 {{expected parameters of 3 channels, found tensor<3x1xf32> [batch_norm_c2]}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  // expected-error@+1 {{expected parameters of 4 channels, found tensor<3xf32> [batch_norm_c2]}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64, layout = #nn<layout channels_last>} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf64>, %variance: tensor<3xf32>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf64>, tensor<3xf32>) -> tensor<2x3x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi32>, %scale: tensor<3xi32>, %shift: tensor<3xi32>, %mean: tensor<3xi32>, %variance: tensor<3xi32>) {
  // expected-error@+1 {{nn.batch_norm takes floating-point numbers, found tensor<2x3xi32> [batch_norm_c3]}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64} : (tensor<2x3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  func.return
}
