// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Malformed windows of transposed convolutions.

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{strides takes 2 values, found 1 [property_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{strides must be at least 1, found [0, 1] [property_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 0, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{pads takes 4 values, found 2 [property_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{pads must be at least 0, found [0, -1, 0, 0] [property_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, -1, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{dilations takes 2 values, found 3 [property_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{dilations must be at least 1, found [1, 0] [property_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 0>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{output_padding takes 2 values, found 1 [property_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 1>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{output_padding must be at least 0, found [0, -1] [property_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, -1>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x0x2xf32>) {
  // expected-error@+1 {{the window must be at least 1, found [0, 2] [property_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x0x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{pads 2 and 2 leave nothing of the 4 elements of spatial axis 0 [conv_transpose_c4]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 2, 0, 2, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}
