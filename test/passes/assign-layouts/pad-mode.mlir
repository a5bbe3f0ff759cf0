// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// A pad keeps its mode.

func.func @f(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x7x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.pad %p {pads = array<i64: 0, 0, 1, 0, 0, 0, 2, 0>, mode = #nn<pad_mode reflect>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x7x5xf32>
  func.return %y : tensor<1x2x7x5xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x7x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.pad %p {pads = array<i64: 0, 1, 0, 0, 0, 2, 0, 0>, mode = #nn<pad_mode reflect>} : (tensor<1x4x5x2xf32>) -> tensor<1x7x5x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x7x5x2xf32>) -> tensor<1x2x7x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x7x5xf32>
// CHECK-NEXT: }
