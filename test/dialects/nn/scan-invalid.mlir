// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What cumulative sums and places of extremes ask of their operand.

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axis must be in 0 to 1, found [-1] [property_c4]}}
  %0 = nn.cumsum %x {axis = -1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@+1 {{nn.cumsum takes numbers, found tensor<2x3xi1> [scan_c1]}}
  %0 = nn.cumsum %x {axis = 0 : i64} : (tensor<2x3xi1>) -> tensor<2x3xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<2x3xf32>, found tensor<3x2xf32> [op_c2]}}
  %0 = nn.cumsum %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axis must be in 0 to 1, found [2] [property_c4]}}
  %0 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@+1 {{nn.arg_reduce takes numbers, found tensor<2x3xi1> [arg_reduce_c1]}}
  %0 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64} : (tensor<2x3xi1>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{nn.arg_reduce finds max or min, found sum [arg_reduce_c2]}}
  %0 = nn.arg_reduce %x {kind = #nn<reduction sum>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x0xf32>) {
  // expected-error@+1 {{axis 1 of tensor<2x0xf32> has no elements [arg_reduce_c3]}}
  %0 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64} : (tensor<2x0xf32>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<2x1xi32>, found tensor<2xi32> [op_c2]}}
  %0 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64, keepdims = true} : (tensor<2x3xf32>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<2xi32>, found tensor<2xi64> [op_c2]}}
  %0 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
  func.return
}
