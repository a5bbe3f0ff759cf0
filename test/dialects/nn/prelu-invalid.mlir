// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What the slope has to be.

func.func @f(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@+1 {{shapes 2x3 and 2 do not broadcast [op_c5]}}
  %0 = nn.prelu %x, %s : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<3xf32>, %s: tensor<2x3xf32>) {
  // expected-error@+1 {{slope tensor<2x3xf32> does not broadcast to tensor<3xf32> [prelu_c2]}}
  %0 = nn.prelu %x, %s : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf64>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.prelu %x, %s : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi1>, %s: tensor<3xi1>) {
  // expected-error@+1 {{nn.prelu takes numbers, found tensor<2x3xi1> [prelu_c1]}}
  %0 = nn.prelu %x, %s : (tensor<2x3xi1>, tensor<3xi1>) -> tensor<2x3xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@+1 {{expected result type tensor<2x3xf32>, found tensor<3x2xf32> [op_c2]}}
  %0 = nn.prelu %x, %s : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<3x2xf32>
  func.return
}
