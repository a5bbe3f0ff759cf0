// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// A list of indices stays on its axis; a single one for a channel leaves an order of its own.

func.func @channels(%x: tensor<1x2x5x6xf32>, %i: tensor<3xi64>) -> tensor<1x3x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.gather %p, %i {axis = 1 : i64} : (tensor<1x2x4x5xf32>, tensor<3xi64>) -> tensor<1x3x4x5xf32>
  func.return %y : tensor<1x3x4x5xf32>
}

func.func @one_channel(%x: tensor<1x2x5x6xf32>, %i: tensor<i64>) -> tensor<1x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.gather %p, %i {axis = 1 : i64} : (tensor<1x2x4x5xf32>, tensor<i64>) -> tensor<1x4x5xf32>
  func.return %y : tensor<1x4x5xf32>
}

func.func @one_row(%x: tensor<1x2x5x6xf32>, %i: tensor<i64>) -> tensor<1x2x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.gather %p, %i {axis = 2 : i64} : (tensor<1x2x4x5xf32>, tensor<i64>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

func.func @elements(%x: tensor<1x2x5x6xf32>, %i: tensor<1x2x4x3xi64>) -> tensor<1x2x4x3xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.gather_elements %p, %i {axis = 3 : i64} : (tensor<1x2x4x5xf32>, tensor<1x2x4x3xi64>) -> tensor<1x2x4x3xf32>
  func.return %y : tensor<1x2x4x3xf32>
}

// CHECK:      func.func @channels(%x: tensor<1x2x5x6xf32>, %i: tensor<3xi64>) -> tensor<1x3x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.gather %p, %i {axis = 3 : i64} : (tensor<1x4x5x2xf32>, tensor<3xi64>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x3x4x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @one_channel(%x: tensor<1x2x5x6xf32>, %i: tensor<i64>) -> tensor<1x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.gather %p, %i {axis = 3 : i64} : (tensor<1x4x5x2xf32>, tensor<i64>) -> tensor<1x4x5xf32>
// CHECK-NEXT:   func.return %y : tensor<1x4x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @one_row(%x: tensor<1x2x5x6xf32>, %i: tensor<i64>) -> tensor<1x2x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   %y = nn.gather %p_1, %i {axis = 2 : i64} : (tensor<1x2x4x5xf32>, tensor<i64>) -> tensor<1x2x5xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @elements(%x: tensor<1x2x5x6xf32>, %i: tensor<1x2x4x3xi64>) -> tensor<1x2x4x3xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %1 = nn.transpose %i {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x3xi64>) -> tensor<1x4x3x2xi64>
// CHECK-NEXT:   %y = nn.gather_elements %p, %1 {axis = 2 : i64} : (tensor<1x4x5x2xf32>, tensor<1x4x3x2xi64>) -> tensor<1x4x3x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x3x2xf32>) -> tensor<1x2x4x3xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x4x3xf32>
// CHECK-NEXT: }
