// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What resizes ask of their operand and lines.

func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@+1 {{a nearest nn.resize does not take tensor<2x3xi1> [resize_c1]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 2>} : (tensor<2x3xi1>) -> tensor<2x6xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@+1 {{a linear nn.resize does not take tensor<2x3xi32> [resize_c1]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 2>} : (tensor<2x3xi32>) -> tensor<2x6xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{the result's shape takes 2 values, found 1 [property_c1]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{numerators takes 2 values, found 1 [property_c1]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{offsets takes 2 values, found 1 [property_c1]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0>, denominators = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{denominators takes 2 values, found 3 [property_c1]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 2, 3>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{denominators must be at least 1, found [1, 0] [property_c2]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x0xf32>) {
  // expected-error@+1 {{axis 1 of tensor<2x0xf32> has no elements to resize [resize_c2]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 1>} : (tensor<2x0xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{the places along axis 1 do not fit 32 bits [resize_c3]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 200000000>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<2x6xf32>, found tensor<2x6xf64> [op_c2]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x6xf64>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{places are of 1 axes, found 2 [resize_c4]}}
  %0 = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 3>, offsets = array<i64: 0>, denominators = array<i64: 6>, places = [#nn<places align_corners>, #nn<places constant>]} : (tensor<4xf32>) -> tensor<7xf32>
  func.return
}
