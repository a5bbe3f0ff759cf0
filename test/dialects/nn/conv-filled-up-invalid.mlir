// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.conv asks of a filter in tiles that are filled up.

func.func @f(%x: tensor<1x5x5x4xf32>, %w: tensor<2x3x3x4x2xf32>) {
  // expected-error@+1 {{#nn.tiled<[0, 2, 3, 1], 0 by 3> has tiles of 3, found [2, 3, 3, 4, 2] [tiled_c4]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x5x5x4xf32>, tensor<2x3x3x4x2xf32>) -> tensor<1x3x3x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x5x5x8xf32>, %w: tensor<3x3x3x4x4xf32>) {
  // expected-error@+1 {{a filter in tiles of 2 that are filled up is for results with channels last, and groups of whole tiles [conv_c5]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 2>} : (tensor<1x5x5x8xf32>, tensor<3x3x3x4x4xf32>) -> tensor<1x3x3x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %w: tensor<2x3x3x4x4xf32>) {
  // expected-error@+1 {{a filter in tiles of 3 that are filled up is for results with channels last, and groups of whole tiles [conv_c5]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x4x5x5xf32>, tensor<2x3x3x4x4xf32>) -> tensor<1x6x3x3xf32>
  func.return
}
