// RUN: autodeploy-opt %s --verify-diagnostics

// A layout that turns the image is for convolutions alone.

func.func @f(%x: tensor<1x3x4x5xf32>, %w: tensor<2x2x3x4xf32>) {
  // expected-error@+1 {{first_to_last is a layout of nn.conv alone [layout_c1]}}
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x4x5xf32>, tensor<2x2x3x4xf32>) -> tensor<1x4x5x4xf32>
  func.return
}
