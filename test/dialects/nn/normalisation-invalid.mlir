// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What normalisations ask of their operands.

func.func @f(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{axis must be in 0 to 1, found [2] [property_c4]}}
  %0 = nn.layer_norm %x, %s {axis = 2 : i64, epsilon = 0.1 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %s: tensor<2xf32>) {
  // expected-error@+1 {{expected parameters of shape [4], found tensor<2xf32> [layer_norm_c1]}}
  %0 = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.1 : f64} : (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %s: tensor<4xf32>, %t: tensor<1x4xf32>) {
  // expected-error@+1 {{expected parameters of shape [4], found tensor<1x4xf32> [layer_norm_c1]}}
  %0 = nn.layer_norm %x, %s, %t {axis = 1 : i64, epsilon = 0.1 : f64} : (tensor<2x4xf32>, tensor<4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %s: tensor<4xf16>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.1 : f64} : (tensor<2x4xf32>, tensor<4xf16>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xi32>, %s: tensor<4xi32>) {
  // expected-error@+1 {{nn.layer_norm takes floating-point numbers, found tensor<2x4xi32> [layer_norm_c2]}}
  %0 = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.1 : f64} : (tensor<2x4xi32>, tensor<4xi32>) -> tensor<2x4xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x4xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{expected result type tensor<2x4xf32>, found tensor<4x2xf32> [op_c2]}}
  %0 = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.1 : f64} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<4x2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{x has rank 2 or more, found tensor<4xf32> [lrn_c1]}}
  %0 = nn.lrn %x {size = 3 : i64, alpha = 1.0 : f64, beta = 0.5 : f64, bias = 1.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4xf32>) {
  // expected-error@+1 {{size must be at least 1, found [0] [property_c2]}}
  %0 = nn.lrn %x {size = 0 : i64, alpha = 1.0 : f64, beta = 0.5 : f64, bias = 1.0 : f64} : (tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4xi32>) {
  // expected-error@+1 {{nn.lrn takes floating-point numbers, found tensor<1x4xi32> [lrn_c2]}}
  %0 = nn.lrn %x {size = 3 : i64, alpha = 1.0 : f64, beta = 0.5 : f64, bias = 1.0 : f64} : (tensor<1x4xi32>) -> tensor<1x4xi32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4xf32>) {
  // expected-error@+1 {{expected result type tensor<1x4xf32>, found tensor<1x5xf32> [op_c2]}}
  %0 = nn.lrn %x {size = 3 : i64, alpha = 1.0 : f64, beta = 0.5 : f64, bias = 1.0 : f64} : (tensor<1x4xf32>) -> tensor<1x5xf32>
  func.return
}
