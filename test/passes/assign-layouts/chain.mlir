// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// Between convolutions and pools nothing is transposed: one transpose at the input, one at the output.
// Filters have their output channels last.

func.func @f(%x: tensor<1x2x6x7xf32>, %w: tensor<4x2x3x3xf32>, %b: tensor<4xf32>, %v: tensor<3x4x1x1xf32>) -> tensor<1x3x4x5xf32> {
  %c = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x7xf32>, tensor<4x2x3x3xf32>, tensor<4xf32>) -> tensor<1x4x4x5xf32>
  %p = nn.max_pool %c {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x5xf32>) -> tensor<1x4x4x5xf32>
  %y = nn.conv %p, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x5xf32>, tensor<3x4x1x1xf32>) -> tensor<1x3x4x5xf32>
  func.return %y : tensor<1x3x4x5xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x6x7xf32>, %w: tensor<4x2x3x3xf32>, %b: tensor<4xf32>, %v: tensor<3x4x1x1xf32>) -> tensor<1x3x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %w {permutation = array<i64: 2, 3, 1, 0>} : (tensor<4x2x3x3xf32>) -> tensor<3x3x2x4xf32>
// CHECK-NEXT:   %1 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x6x7xf32>) -> tensor<1x6x7x2xf32>
// CHECK-NEXT:   %c = nn.conv %1, %0, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x7x2xf32>, tensor<3x3x2x4xf32>, tensor<4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-NEXT:   %p = nn.max_pool %c {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-NEXT:   %2 = nn.transpose %v {permutation = array<i64: 2, 3, 1, 0>} : (tensor<3x4x1x1xf32>) -> tensor<1x1x4x3xf32>
// CHECK-NEXT:   %y = nn.conv %p, %2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x5x4xf32>, tensor<1x1x4x3xf32>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x3x4x5xf32>
// CHECK-NEXT: }
