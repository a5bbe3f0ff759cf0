// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What transposed convolutions ask of their operands.

func.func @f(%x: tensor<4x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{x has rank 3 or more, found tensor<4x3xf32> [conv_transpose_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<4x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2xf32>) {
  // expected-error@+1 {{the filter's window takes 2 values, found 1 [property_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{4 channels in 1 groups do not fit a filter that takes 3 channels a group to 2 [conv_transpose_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x3x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<3x2x2x2xf32>) {
  // expected-error@+1 {{4 channels in 2 groups do not fit a filter that takes 2 channels a group to 3 [conv_transpose_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64} : (tensor<1x4x3x3xf32>, tensor<3x2x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{expected a bias of 2, found tensor<3xf32> [conv_transpose_c3]}}
  %0 = nn.conv_transpose %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>, tensor<3xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf64>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf64>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x0x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{spatial extents must be at least 1, found [0, 3] [property_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x0x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{expected result type tensor<1x2x4x4xf32>, found tensor<1x2x3x3xf32> [op_c2]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x3x3x4xf32>, %w: tensor<1x2x2x4x4xf32>) {
  // expected-error@+1 {{nn.conv_transpose takes no Winograd filter and none filled up [conv_transpose_c5]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x3x3x4xf32>, tensor<1x2x2x4x4xf32>) -> tensor<1x4x4x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x3x3x4xf32>, %w: tensor<1x4x4x4x4xf32>) {
  // expected-error@+1 {{nn.conv_transpose takes no Winograd filter and none filled up [conv_transpose_c5]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 4>, winograd = 2 : i64} : (tensor<1x3x3x4xf32>, tensor<1x4x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  func.return
}
