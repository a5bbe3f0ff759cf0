// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What reductions and softmax ask of their operand and axes.

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axes must be in 0 to 1, found [2] [property_c4]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axes must be in 0 to 1, found [-1] [property_c4]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axes must rise, found [1, 0] [property_c3]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<f32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axes must name axis 1 only once, found [1, 1] [property_c5]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi1>) {
  // expected-error@+1 {{nn.reduce takes numbers, found tensor<2x3xi1> [reduce_c1]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x3xi1>) -> tensor<2xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<2xf32>, found tensor<2x1xf32> [op_c2]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<2x1xf32>, found tensor<2xf32> [op_c2]}}
  %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{axis must be in 0 to 1, found [2] [property_c4]}}
  %0 = nn.softmax %x {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@+1 {{nn.softmax takes floating-point numbers, found tensor<2x3xi32> [softmax_c1]}}
  %0 = nn.softmax %x {axis = 1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  func.return
}
