// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// Places of extremes and cumulative sums along an axis that has moved.

func.func @classes(%x: tensor<1x2x5x6xf32>) -> tensor<1x4x5xi32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.arg_reduce %p {kind = #nn<reduction max>, axis = 1 : i64, select_last = true} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5xi32>
  func.return %y : tensor<1x4x5xi32>
}

func.func @kept(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x4x1xi32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.arg_reduce %p {kind = #nn<reduction min>, axis = 3 : i64, keepdims = true} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x1xi32>
  func.return %y : tensor<1x2x4x1xi32>
}

func.func @rows(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x5xi32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.arg_reduce %p {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<1x2x4x5xf32>) -> tensor<1x2x5xi32>
  func.return %y : tensor<1x2x5xi32>
}

func.func @cumsum(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.cumsum %p {axis = 1 : i64, exclusive = true, reverse = true} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  func.return %y : tensor<1x2x4x5xf32>
}

// CHECK:      func.func @classes(%x: tensor<1x2x5x6xf32>) -> tensor<1x4x5xi32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.arg_reduce %p {kind = #nn<reduction max>, axis = 3 : i64, select_last = true} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5xi32>
// CHECK-NEXT:   func.return %y : tensor<1x4x5xi32>
// CHECK-NEXT: }

// CHECK:      func.func @kept(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x4x1xi32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.arg_reduce %p {kind = #nn<reduction min>, axis = 2 : i64, keepdims = true} : (tensor<1x4x5x2xf32>) -> tensor<1x4x1x2xi32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x1x2xi32>) -> tensor<1x2x4x1xi32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x4x1xi32>
// CHECK-NEXT: }

// CHECK:      func.func @rows(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x5xi32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   %y = nn.arg_reduce %p_1 {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<1x2x4x5xf32>) -> tensor<1x2x5xi32>
// CHECK-NEXT:   func.return %y : tensor<1x2x5xi32>
// CHECK-NEXT: }

// CHECK:      func.func @cumsum(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.cumsum %p {axis = 3 : i64, exclusive = true, reverse = true} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x4x5xf32>
// CHECK-NEXT: }
