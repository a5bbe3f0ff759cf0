// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// One channel, or one place: both orders hold the elements in the same sequence.

func.func @channel(%x: tensor<2x1x4x5xf32>) -> tensor<8x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x1x4x5xf32>) -> tensor<2x1x4x5xf32>
  %y = nn.reshape %p : (tensor<2x1x4x5xf32>) -> tensor<8x5xf32>
  func.return %y : tensor<8x5xf32>
}

func.func @place(%x: tensor<2x6x1x1xf32>) -> tensor<4x3xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x6x1x1xf32>) -> tensor<2x6x1x1xf32>
  %y = nn.reshape %p : (tensor<2x6x1x1xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}

// CHECK:      func.func @channel(%x: tensor<2x1x4x5xf32>) -> tensor<8x5xf32> {
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<2x1x4x5xf32>) -> tensor<2x4x5x1xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<2x4x5x1xf32>) -> tensor<2x4x5x1xf32>
// CHECK-NEXT:   %y = nn.reshape %p : (tensor<2x4x5x1xf32>) -> tensor<8x5xf32>
// CHECK-NEXT:   func.return %y : tensor<8x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @place(%x: tensor<2x6x1x1xf32>) -> tensor<4x3xf32> {
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<2x6x1x1xf32>) -> tensor<2x1x1x6xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<2x1x1x6xf32>) -> tensor<2x1x1x6xf32>
// CHECK-NEXT:   %y = nn.reshape %p : (tensor<2x1x1x6xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:   func.return %y : tensor<4x3xf32>
// CHECK-NEXT: }
