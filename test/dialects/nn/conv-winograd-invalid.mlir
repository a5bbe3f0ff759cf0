// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What a filter in Winograd's domain asks of the convolution, and of its own shape.

func.func @f(%x: tensor<1x8x8x3xf32>, %w: tensor<1x4x4x3x16xf32>) {
  // expected-error@+1 {{a Winograd filter is for channels_last, one group, strides and dilations of 1 [conv_c3]}}
  %0 = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x8x8x3xf32>, tensor<1x4x4x3x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x8x8x3xf32>, %w: tensor<1x4x4x3x16xf32>) {
  // expected-error@+1 {{a Winograd filter is for channels_last, one group, strides and dilations of 1 [conv_c3]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 2, 2>, groups = 1 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x8x8x3xf32>, tensor<1x4x4x3x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x8x8x6xf32>, %w: tensor<1x4x4x3x16xf32>) {
  // expected-error@+1 {{a Winograd filter is for channels_last, one group, strides and dilations of 1 [conv_c3]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x8x8x6xf32>, tensor<1x4x4x3x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x8x8x8xf32>, %w: tensor<1x4x4x8x16xf32>) {
  // expected-error@+1 {{a Winograd filter is for channels_last, one group, strides and dilations of 1 [conv_c3]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_first>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x8x8x8xf32>, tensor<1x4x4x8x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x8x8x3xf32>, %w: tensor<1x6x6x3x16xf32>) {
  // expected-error@+1 {{is O x I x (m + 2) x (m + 2), found m = 2 and [16, 3, 6, 6] [filter_c1]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x8x8x3xf32>, tensor<1x6x6x3x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x8x8x3xf32>, %w: tensor<4x4x3x16xf32>) {
  // expected-error@+1 {{is O x I x (m + 2) x (m + 2), found m = 2 and [64, 3, 4] [filter_c1]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x8x8x3xf32>, tensor<4x4x3x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x8x8x3xf32>, %w: tensor<1x5x5x3x16xf32>) {
  // expected-error@+1 {{is O x I x (m + 2) x (m + 2), found m = 3 and [16, 3, 5, 5] [filter_c1]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 3 : i64} : (tensor<1x8x8x3xf32>, tensor<1x5x5x3x16xf32>) -> tensor<1x8x8x16xf32>
  func.return
}
