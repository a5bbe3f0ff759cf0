// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Layer normalisation over one axis and over several, with and without a shift.

func.func @f(%x: tensor<2x3x4xf32>, %a: tensor<4xf32>, %b: tensor<3x4xf32>) {
  %0 = nn.layer_norm %x, %a, %a {axis = 2 : i64, epsilon = 1.000000e-05 : f64} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  %1 = nn.layer_norm %x, %b {axis = 1 : i64, epsilon = 0.000000e+00 : f64} : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>, %a: tensor<4xf32>, %b: tensor<3x4xf32>) {
// CHECK-NEXT:   %0 = nn.layer_norm %x, %a, %a {axis = 2 : i64, epsilon = 1.000000e-05 : f64} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %1 = nn.layer_norm %x, %b {axis = 1 : i64, epsilon = 0.000000e+00 : f64} : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
