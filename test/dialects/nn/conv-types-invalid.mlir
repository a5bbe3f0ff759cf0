// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.conv asks of its element and result types.

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf16>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf16>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>, %b: tensor<6xf64>) {
  // expected-error@+1 {{expected a bias of f32, found tensor<6xf64> [contraction_c3]}}
  %0 = nn.conv %x, %f, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>, tensor<6xf64>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{expected result type tensor<1x6x3x3xf32>, found tensor<1x6x5x5xf32> [op_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x5x5xf32>
  func.return
}
