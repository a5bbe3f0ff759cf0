// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What pointwise ops with one operand ask of it.

func.func @f(%x: tensor<2xi1>) {
  // expected-error@+1 {{nn.abs takes numbers, found tensor<2xi1> [unary_c1]}}
  %0 = nn.abs %x : (tensor<2xi1>) -> tensor<2xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error@+1 {{nn.exp takes floating-point numbers, found tensor<2xi32> [float_c1]}}
  %0 = nn.exp %x : (tensor<2xi32>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{nn.not takes booleans or integers, found tensor<2xf32> [not_c1]}}
  %0 = nn.not %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{f32 and i16 do not have as many bytes [bitcast_c1]}}
  %0 = nn.bitcast %x : (tensor<2xf32>) -> tensor<2xi16>
  func.return
}

// -----

func.func @f(%x: tensor<2xi1>) {
  // expected-error@+1 {{nn.clip takes numbers, found tensor<2xi1> [unary_c1]}}
  %0 = nn.clip %x : (tensor<2xi1>) -> tensor<2xi1>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected result type tensor<2xi8>, found tensor<3xi8> [op_c2]}}
  %0 = nn.cast %x : (tensor<2xf32>) -> tensor<3xi8>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{unsupported element type i4 [op_c1]}}
  %0 = nn.cast %x : (tensor<2xf32>) -> tensor<2xi4>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{property 'alpha' expected}}
  %0 = nn.leaky_relu %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xi8>) {
  // expected-error@+1 {{nn.elu takes floating-point numbers, found tensor<2xi8> [float_c1]}}
  %0 = nn.elu %x {alpha = 1.0 : f64} : (tensor<2xi8>) -> tensor<2xi8>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{property 'beta' expected}}
  %0 = nn.hard_sigmoid %x {alpha = 1.0 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error@+1 {{nn.fmod takes floating-point numbers, found tensor<2xi32> [fmod_c1]}}
  %0 = nn.fmod %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2xi32>) {
  // expected-error@+1 {{nn.gate takes floating-point numbers, found tensor<2xi32> [gate_c1]}}
  %0 = nn.gate %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return
}
