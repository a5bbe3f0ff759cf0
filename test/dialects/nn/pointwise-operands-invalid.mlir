// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What pointwise ops with several operands ask of them.

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf16>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.add %x, %y : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{shapes 2x3 and 2 do not broadcast [op_c5]}}
  %0 = nn.add %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xi1>, %y: tensor<2xi1>) {
  // expected-error@+1 {{nn.add takes numbers, found tensor<2xi1> [binary_c1]}}
  %0 = nn.add %x, %y : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<1xf32>) {
  // expected-error@+1 {{expected result type tensor<2xf32>, found tensor<1xf32> [op_c2]}}
  %0 = nn.mul %x, %y : (tensor<2xf32>, tensor<1xf32>) -> tensor<1xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{expected result type tensor<2xi1>, found tensor<2xf32> [op_c2]}}
  %0 = nn.less %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xi32>, %y: tensor<2xi64>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.equal %x, %y : (tensor<2xi32>, tensor<2xi64>) -> tensor<2xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{nn.and takes booleans or integers, found tensor<2xf32> [logic_c1]}}
  %0 = nn.and %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  func.return
}

// -----

func.func @f(%c: tensor<2xi8>, %x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{the condition must be boolean, found tensor<2xi8> [where_c1]}}
  %0 = nn.where %c, %x, %y : (tensor<2xi8>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%c: tensor<2xi1>, %x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.where %c, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%c: tensor<3xi1>, %x: tensor<2xf32>, %y: tensor<1xf32>) {
  // expected-error@+1 {{shapes 3 and 2 and 1 do not broadcast [op_c5]}}
  %0 = nn.where %c, %x, %y : (tensor<3xi1>, tensor<2xf32>, tensor<1xf32>) -> tensor<2xf32>
  func.return
}
