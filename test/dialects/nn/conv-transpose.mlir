// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Transposed convolutions: strides, output padding, groups, layouts.

func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>, %b: tensor<2xf32>, %g: tensor<6x2x3x3xf32>, %l: tensor<1x5x4xf32>, %k: tensor<3x4x2xf32>) {
  %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
  %1 = nn.conv_transpose %x, %w, %b {strides = array<i64: 2, 3>, pads = array<i64: 1, 0, 0, 1>, dilations = array<i64: 1, 2>, output_padding = array<i64: 1, 2>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>, tensor<2xf32>) -> tensor<1x2x6x10xf32>
  %2 = nn.conv_transpose %x, %g {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64} : (tensor<1x4x3x3xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x7x7xf32>
  %3 = nn.conv_transpose %l, %k {strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 1, 0]>} : (tensor<1x5x4xf32>, tensor<3x4x2xf32>) -> tensor<1x11x2xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<1x4x3x3xf32>, %w: tensor<2x4x2x2xf32>, %b: tensor<2xf32>, %g: tensor<6x2x3x3xf32>, %l: tensor<1x5x4xf32>, %k: tensor<3x4x2xf32>) {
// CHECK-NEXT:   %0 = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %1 = nn.conv_transpose %x, %w, %b {strides = array<i64: 2, 3>, pads = array<i64: 1, 0, 0, 1>, dilations = array<i64: 1, 2>, output_padding = array<i64: 1, 2>} : (tensor<1x4x3x3xf32>, tensor<2x4x2x2xf32>, tensor<2xf32>) -> tensor<1x2x6x10xf32>
// CHECK-NEXT:   %2 = nn.conv_transpose %x, %g {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, groups = 2 : i64} : (tensor<1x4x3x3xf32>, tensor<6x2x3x3xf32>) -> tensor<1x6x7x7xf32>
// CHECK-NEXT:   %3 = nn.conv_transpose %l, %k {strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 1, 0]>} : (tensor<1x5x4xf32>, tensor<3x4x2xf32>) -> tensor<1x11x2xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
