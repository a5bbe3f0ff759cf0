// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// Lines and solids as well as images; a grouped convolution.

func.func @line(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> tensor<2x6x7xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, groups = 2 : i64} : (tensor<2x4x9xf32>, tensor<6x2x3xf32>) -> tensor<2x6x7xf32>
  func.return %y : tensor<2x6x7xf32>
}

func.func @solid(%x: tensor<1x2x3x4x5xf32>) -> tensor<1x2x3x4x5xf32> {
  %y = nn.average_pool %x {window = array<i64: 1, 1, 1>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : (tensor<1x2x3x4x5xf32>) -> tensor<1x2x3x4x5xf32>
  func.return %y : tensor<1x2x3x4x5xf32>
}

// CHECK:      func.func @line(%x: tensor<2x4x9xf32>, %w: tensor<6x2x3xf32>) -> tensor<2x6x7xf32> {
// CHECK-NEXT:   %0 = nn.transpose %w {permutation = array<i64: 2, 1, 0>} : (tensor<6x2x3xf32>) -> tensor<3x2x6xf32>
// CHECK-NEXT:   %1 = nn.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<2x4x9xf32>) -> tensor<2x9x4xf32>
// CHECK-NEXT:   %y = nn.conv %1, %0 {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 1, 0]>} : (tensor<2x9x4xf32>, tensor<3x2x6xf32>) -> tensor<2x7x6xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 2, 1>} : (tensor<2x7x6xf32>) -> tensor<2x6x7xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<2x6x7xf32>
// CHECK-NEXT: }

// CHECK:      func.func @solid(%x: tensor<1x2x3x4x5xf32>) -> tensor<1x2x3x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 4, 1>} : (tensor<1x2x3x4x5xf32>) -> tensor<1x3x4x5x2xf32>
// CHECK-NEXT:   %y = nn.average_pool %0 {window = array<i64: 1, 1, 1>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x3x4x5x2xf32>) -> tensor<1x3x4x5x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 4, 1, 2, 3>} : (tensor<1x3x4x5x2xf32>) -> tensor<1x2x3x4x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x3x4x5xf32>
// CHECK-NEXT: }
