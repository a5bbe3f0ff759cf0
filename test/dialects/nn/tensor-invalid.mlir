// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What every nn op asks of its tensors.

func.func @f(%x: tensor<?x2xf32>) {
  // expected-error@+1 {{expected a static shape, found tensor<?x2xf32> [op_c4]}}
  %0 = nn.relu %x : (tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return
}

// -----

func.func @f(%x: f32) {
  // expected-error@+1 {{f32 should be of base attribute tensor}}
  %0 = nn.relu %x : (f32) -> f32
  func.return
}

// -----

func.func @f(%x: tensor<*xf32>) {
  // expected-error@+1 {{tensor<*xf32> should be of base attribute tensor}}
  %0 = nn.relu %x : (tensor<*xf32>) -> tensor<*xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xi4>) {
  // expected-error@+1 {{unsupported element type i4 [op_c1]}}
  %0 = nn.relu %x : (tensor<2xi4>) -> tensor<2xi4>
  func.return
}

// -----

func.func @f(%x: tensor<2xindex>) {
  // expected-error@+1 {{unsupported element type index [op_c1]}}
  %0 = nn.relu %x : (tensor<2xindex>) -> tensor<2xindex>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected result type tensor<2xf32>, found tensor<3xf32> [op_c2]}}
  %0 = nn.relu %x : (tensor<2xf32>) -> tensor<3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected result type tensor<2xf32>, found tensor<2xf16> [op_c2]}}
  %0 = nn.relu %x : (tensor<2xf32>) -> tensor<2xf16>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{expected a static shape, found tensor<?xf32> [op_c4]}}
  %0 = nn.reshape %x : (tensor<2xf32>) -> tensor<?xf32>
  func.return
}
