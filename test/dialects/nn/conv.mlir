// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Convolutions: bias, groups, layouts; defaults are not printed.

func.func @f(%x: tensor<1x4x8x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>, %d: tensor<4x1x3x3xf32>, %l: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x6xf32>, %p: tensor<2x3x3x4x3xf32>, %x1: tensor<1x4x8xf16>, %w1: tensor<2x4x3xf16>) {
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x8x8xf32>
  %1 = nn.conv %x, %w, %b {strides = array<i64: 2, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 2>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<1x6x3x6xf32>
  %2 = nn.conv %x, %d {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x8x8xf32>
  %3 = nn.conv %l, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
  %4 = nn.conv %l, %p, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x8x8x4xf32>, tensor<2x3x3x4x3xf32>, tensor<6xf32>) -> tensor<1x6x6x6xf32>
  %5 = nn.conv %x1, %w1 {strides = array<i64: 3>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, groups = 1 : i64, layout = #nn<layout channels_first>} : (tensor<1x4x8xf16>, tensor<2x4x3xf16>) -> tensor<1x2x2xf16>
  func.return
}

// CHECK:      func.func @f(%x: tensor<1x4x8x8xf32>, %w: tensor<6x4x3x3xf32>, %b: tensor<6xf32>, %d: tensor<4x1x3x3xf32>, %l: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x6xf32>, %p: tensor<2x3x3x4x3xf32>, %x1: tensor<1x4x8xf16>, %w1: tensor<2x4x3xf16>) {
// CHECK-NEXT:   %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x8x8xf32>
// CHECK-NEXT:   %1 = nn.conv %x, %w, %b {strides = array<i64: 2, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 2>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<6xf32>) -> tensor<1x6x3x6xf32>
// CHECK-NEXT:   %2 = nn.conv %x, %d {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x8x8xf32>
// CHECK-NEXT:   %3 = nn.conv %l, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x6xf32>) -> tensor<1x6x6x6xf32>
// CHECK-NEXT:   %4 = nn.conv %l, %p, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x8x8x4xf32>, tensor<2x3x3x4x3xf32>, tensor<6xf32>) -> tensor<1x6x6x6xf32>
// CHECK-NEXT:   %5 = nn.conv %x1, %w1 {strides = array<i64: 3>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x4x8xf16>, tensor<2x4x3xf16>) -> tensor<1x2x2xf16>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
