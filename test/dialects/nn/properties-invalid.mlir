// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Indices are i64 and numbers f64 whatever the tensor's type, so that equal properties are equal.

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{Expected attribute i64 but got i32}}
  %0 = nn.softmax %x {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{Expected attribute i64 but got index}}
  %0 = nn.concat %x, %y {axis = 0 : index} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Expected attribute i64 but got i32}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i32} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{Expected attribute f64 but got f32}}
  %0 = nn.clip %x {min = 0.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{Expected attribute f64 but got f32}}
  %0 = nn.leaky_relu %x {alpha = 0.1 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{Expected attribute f64 but got f32}}
  %0 = nn.pad %x {pads = array<i64: 0, 0>, value = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3x4xf32>, %scale: tensor<3xf32>, %shift: tensor<3xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>) {
  // expected-error@+1 {{Expected attribute f64 but got f32}}
  %0 = nn.batch_norm %x, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f32} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  func.return
}
