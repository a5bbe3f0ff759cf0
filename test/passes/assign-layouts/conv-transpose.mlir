// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// A transposed convolution is turned as a convolution is, with its filter.

func.func @f(%x: tensor<1x2x5x6xf32>, %w: tensor<3x2x2x4xf32>) -> tensor<1x3x6x9xf32> {
  %y = nn.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x2x5x6xf32>, tensor<3x2x2x4xf32>) -> tensor<1x3x6x9xf32>
  func.return %y : tensor<1x3x6x9xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x5x6xf32>, %w: tensor<3x2x2x4xf32>) -> tensor<1x3x6x9xf32> {
// CHECK-NEXT:   %0 = nn.transpose %w {permutation = array<i64: 2, 3, 1, 0>} : (tensor<3x2x2x4xf32>) -> tensor<2x4x2x3xf32>
// CHECK-NEXT:   %1 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %y = nn.conv_transpose %1, %0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x6x2xf32>, tensor<2x4x2x3xf32>) -> tensor<1x6x9x3xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x6x9x3xf32>) -> tensor<1x3x6x9xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x3x6x9xf32>
// CHECK-NEXT: }
