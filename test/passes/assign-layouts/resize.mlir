// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// The lines of places are ordered as the axes are; between pool and pool there is no transpose.

func.func @f(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x3x8xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %r = nn.resize %p {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1, 2, 1>, offsets = array<i64: 0, 0, -1, 3>, denominators = array<i64: 1, 1, 4, 5>, coefficient = -0.5 : f64} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x9xf32>
  %y = nn.max_pool %r {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x9xf32>) -> tensor<1x2x3x8xf32>
  func.return %y : tensor<1x2x3x8xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x3x8xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %r = nn.resize %p {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 2, 1, 1>, offsets = array<i64: 0, -1, 3, 0>, denominators = array<i64: 1, 4, 5, 1>, coefficient = -5.000000e-01 : f64} : (tensor<1x4x5x2xf32>) -> tensor<1x4x9x2xf32>
// CHECK-NEXT:   %y = nn.max_pool %r {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x9x2xf32>) -> tensor<1x3x8x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x3x8x2xf32>) -> tensor<1x2x3x8xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x3x8xf32>
// CHECK-NEXT: }
