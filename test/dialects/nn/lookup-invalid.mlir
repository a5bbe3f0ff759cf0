// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What lookups ask of axis and indices.

func.func @f(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{axis must be in 0 to 1, found [2] [property_c4]}}
  %0 = nn.gather %x, %i {axis = 2 : i64} : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %i: tensor<2xf32>) {
  // expected-error@+1 {{indices are integers, found tensor<2xf32> [lookup_c1]}}
  %0 = nn.gather %x, %i {axis = 0 : i64} : (tensor<4x5xf32>, tensor<2xf32>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %i: tensor<2xi1>) {
  // expected-error@+1 {{indices are integers, found tensor<2xi1> [lookup_c1]}}
  %0 = nn.gather %x, %i {axis = 0 : i64} : (tensor<4x5xf32>, tensor<2xi1>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<0x5xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{axis 0 of tensor<0x5xf32> has no elements to look up [lookup_c2]}}
  %0 = nn.gather %x, %i {axis = 0 : i64} : (tensor<0x5xf32>, tensor<2xi64>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{expected result type tensor<2x5xf32>, found tensor<5x2xf32> [op_c2]}}
  %0 = nn.gather %x, %i {axis = 0 : i64} : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<5x2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %i: tensor<2xi64>) {
  // expected-error@+1 {{indices tensor<2xi64> do not fit tensor<4x5xf32> outside of axis 0 [gather_elements_c1]}}
  %0 = nn.gather_elements %x, %i {axis = 0 : i64} : (tensor<4x5xf32>, tensor<2xi64>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %i: tensor<2x6xi64>) {
  // expected-error@+1 {{indices tensor<2x6xi64> do not fit tensor<4x5xf32> outside of axis 0 [gather_elements_c1]}}
  %0 = nn.gather_elements %x, %i {axis = 0 : i64} : (tensor<4x5xf32>, tensor<2x6xi64>) -> tensor<2x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x5xf32>, %i: tensor<9x5xi64>) {
  // expected-error@+1 {{expected result type tensor<9x5xf32>, found tensor<4x5xf32> [op_c2]}}
  %0 = nn.gather_elements %x, %i {axis = 0 : i64} : (tensor<4x5xf32>, tensor<9x5xi64>) -> tensor<4x5xf32>
  func.return
}
