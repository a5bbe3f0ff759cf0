// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics | filecheck %s

// CHECK: %n = nn.extent %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<i64>
func.func @f(%x: tensor<2x3xf32>) -> tensor<i64> {
  %n = nn.extent %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<i64>
  func.return %n : tensor<i64>
}

// -----

// CHECK: %y = nn.ended %x, %by {growths = affine_map<(d0) -> ((d0 + 1), 0)>} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
func.func @f(%x: tensor<2x3xf32>, %by: tensor<1xf32>) -> tensor<2x3xf32> {
  %y = nn.ended %x, %by {growths = affine_map<(n) -> (n + 1, 0)>} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

func.func @f(%x: tensor<2x3xf32>, %by: tensor<1xf32>) {
  // expected-error@+1 {{growths are of 2 axes, found 1 [ended_c1]}}
  %y = nn.ended %x, %by {growths = array<i64: 1>} : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{[property_c4]}}
  %n = nn.extent %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<i64>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<i64>, found tensor<i32> [op_c2]}}
  %n = nn.extent %x {axis = 0 : i64} : (tensor<2x3xf32>) -> tensor<i32>
  func.return
}
