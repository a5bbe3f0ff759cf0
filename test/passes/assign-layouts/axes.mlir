// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// Axes and lists of axes move: softmax, concat, slice, pad, batch normalisation.

func.func @f(%x: tensor<1x2x4x5xf32>, %v: tensor<4xf32>) -> tensor<1x4x3x7xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %s = nn.softmax %p {axis = 1 : i64} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %c = nn.concat %s, %x {axis = 1 : i64} : (tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>) -> tensor<1x4x4x5xf32>
  %n = nn.batch_norm %c, %v, %v, %v, %v {epsilon = 0.0 : f64} : (tensor<1x4x4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x5xf32>
  %l = nn.slice %n {starts = array<i64: 0, 3, 1, 0>, sizes = array<i64: 1, 4, 2, 5>, steps = array<i64: 1, -1, 2, 1>} : (tensor<1x4x4x5xf32>) -> tensor<1x4x2x5xf32>
  %y = nn.pad %l {pads = array<i64: 0, 0, 1, 0, 0, 0, 0, 2>, value = 1.0 : f64} : (tensor<1x4x2x5xf32>) -> tensor<1x4x3x7xf32>
  func.return %y : tensor<1x4x3x7xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x4x5xf32>, %v: tensor<4xf32>) -> tensor<1x4x3x7xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %s = nn.softmax %p {axis = 3 : i64} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %c = nn.concat %s, %0 {axis = 3 : i64} : (tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x4xf32>
// CHECK-NEXT:   %n = nn.batch_norm %c, %v, %v, %v, %v {epsilon = 0.000000e+00 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x5x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x5x4xf32>
// CHECK-NEXT:   %l = nn.slice %n {starts = array<i64: 0, 1, 0, 3>, sizes = array<i64: 1, 2, 5, 4>, steps = array<i64: 1, 2, 1, -1>} : (tensor<1x4x5x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK-NEXT:   %y = nn.pad %l {pads = array<i64: 0, 1, 0, 0, 0, 0, 2, 0>, value = 1.000000e+00 : f64} : (tensor<1x2x5x4xf32>) -> tensor<1x3x7x4xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x3x7x4xf32>) -> tensor<1x4x3x7xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x4x3x7xf32>
// CHECK-NEXT: }
