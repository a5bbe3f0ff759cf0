// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.matmul asks of its operands.

func.func @f(%x: tensor<3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{operands have rank 2 or more, found [3] and [3, 4] [matmul_c1]}}
  %0 = nn.matmul %x, %y : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{inner extents differ: [2, 3] times [4, 3] [matmul_c3]}}
  %0 = nn.matmul %x, %y : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{inner extents differ: [3, 2] times [3, 4] [matmul_c3]}}
  %0 = nn.matmul %x, %y {transpose_lhs = true} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{inner extents differ: [2, 3] times [4, 3] [matmul_c3]}}
  %0 = nn.matmul %x, %y {transpose_rhs = true} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x1x3xf32>, %y: tensor<3x3x4xf32>) {
  // expected-error@+1 {{shapes 2 and 3 do not broadcast [op_c5]}}
  %0 = nn.matmul %x, %y : (tensor<2x1x3xf32>, tensor<3x3x4xf32>) -> tensor<3x1x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %b: tensor<2x2x4xf32>) {
  // expected-error@+1 {{bias tensor<2x2x4xf32> does not broadcast to [2, 4] [matmul_c4]}}
  %0 = nn.matmul %x, %y, %b : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x2x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{shapes 2x4 and 3 do not broadcast [op_c5]}}
  %0 = nn.matmul %x, %y, %b : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf16>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf16>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>, %b: tensor<4xf16>) {
  // expected-error@+1 {{expected a bias of f32, found tensor<4xf16> [contraction_c3]}}
  %0 = nn.matmul %x, %y, %b : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf16>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{expected result type tensor<2x4xf32>, found tensor<4x2xf32> [op_c2]}}
  %0 = nn.matmul %x, %y : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  func.return
}
