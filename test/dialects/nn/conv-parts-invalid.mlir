// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.conv asks of a filter in packed parts.

func.func @f(%x: tensor<1x5x5x4xf32>, %w: tensor<3x3x4x6xf32>) {
  // expected-error@+1 {{outputs is given for a filter in packed_parts, and for no other [conv_c5]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout kernel_in_out>} : (tensor<1x5x5x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x3x3x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x5x5x4xf32>, %w: tensor<2x3x3x4x4xf32>) {
  // expected-error@+1 {{outputs is given for a filter in packed_parts, and for no other [conv_c5]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x5x5x4xf32>, tensor<2x3x3x4x4xf32>) -> tensor<1x3x3x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x5x5x4xf32>, %w: tensor<2x3x3x4x2xf32>) {
  // expected-error@+1 {{6 outputs do not make 2 equal parts of at most 2 [conv_c7]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x5x5x4xf32>, tensor<2x3x3x4x2xf32>) -> tensor<1x3x3x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x5x5x4xf32>, %w: tensor<2x3x3x4x4xf32>) {
  // expected-error@+1 {{7 outputs do not make 2 equal parts of at most 4 [conv_c7]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 7 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x5x5x4xf32>, tensor<2x3x3x4x4xf32>) -> tensor<1x3x3x7xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x5x5x8xf32>, %w: tensor<3x3x3x4x4xf32>) {
  // expected-error@+1 {{a filter in 3 packed_parts is for results with channels last, and groups of whole parts [conv_c6]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, outputs = 6 : i64, layout = #nn<layout channels_last>, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x5x5x8xf32>, tensor<3x3x3x4x4xf32>) -> tensor<1x3x3x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %w: tensor<2x3x3x4x4xf32>) {
  // expected-error@+1 {{a filter in 2 packed_parts is for results with channels last, and groups of whole parts [conv_c6]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, outputs = 6 : i64, filter_layout = #nn<filter_layout packed_parts>} : (tensor<1x4x5x5xf32>, tensor<2x3x3x4x4xf32>) -> tensor<1x6x3x3xf32>
  func.return
}
