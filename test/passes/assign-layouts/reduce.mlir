// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// Kept axes stay in the other order; without them the result is as it was, if the rest keeps its order.

func.func @kept(%x: tensor<1x2x4x5xf32>) -> tensor<1x2x1x1xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.reduce %p {kind = #nn<reduction sum>, axes = array<i64: 2, 3>, keepdims = true} : (tensor<1x2x4x5xf32>) -> tensor<1x2x1x1xf32>
  func.return %y : tensor<1x2x1x1xf32>
}

func.func @places(%x: tensor<1x2x4x5xf32>) -> tensor<1x2xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.reduce %p {kind = #nn<reduction sum>, axes = array<i64: 2, 3>} : (tensor<1x2x4x5xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

func.func @channels(%x: tensor<1x2x4x5xf32>) -> tensor<1x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.reduce %p {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5xf32>
  func.return %y : tensor<1x4x5xf32>
}

// CHECK:      func.func @kept(%x: tensor<1x2x4x5xf32>) -> tensor<1x2x1x1xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.reduce %p {kind = #nn<reduction sum>, axes = array<i64: 1, 2>, keepdims = true} : (tensor<1x4x5x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x1x1x2xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x1x1xf32>
// CHECK-NEXT: }

// CHECK:      func.func @places(%x: tensor<1x2x4x5xf32>) -> tensor<1x2xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.reduce %p {kind = #nn<reduction sum>, axes = array<i64: 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2xf32>
// CHECK-NEXT: }

// CHECK:      func.func @channels(%x: tensor<1x2x4x5xf32>) -> tensor<1x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.reduce %p {kind = #nn<reduction sum>, axes = array<i64: 3>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5xf32>
// CHECK-NEXT:   func.return %y : tensor<1x4x5xf32>
// CHECK-NEXT: }
