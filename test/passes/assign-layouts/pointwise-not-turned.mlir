// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// No operand that was turned has the shape of the result: what was turned is transposed back.

func.func @wider(%x: tensor<1x2x1x1xf32>, %image: tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x1x1xf32>) -> tensor<1x2x1x1xf32>
  %y = nn.add %p, %image : (tensor<1x2x1x1xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  func.return %y : tensor<1x2x4x5xf32>
}

func.func @higher_rank(%x: tensor<1x2x4x5xf32>, %batch: tensor<3x1x2x4x5xf32>) -> tensor<3x1x2x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.add %batch, %p : (tensor<3x1x2x4x5xf32>, tensor<1x2x4x5xf32>) -> tensor<3x1x2x4x5xf32>
  func.return %y : tensor<3x1x2x4x5xf32>
}

// CHECK:      func.func @wider(%x: tensor<1x2x1x1xf32>, %image: tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x1x1xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT:   %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x1x1x2xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT:   %y = nn.add %p_1, %image : (tensor<1x2x1x1xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x4x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @higher_rank(%x: tensor<1x2x4x5xf32>, %batch: tensor<3x1x2x4x5xf32>) -> tensor<3x1x2x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   %y = nn.add %batch, %p_1 : (tensor<3x1x2x4x5xf32>, tensor<1x2x4x5xf32>) -> tensor<3x1x2x4x5xf32>
// CHECK-NEXT:   func.return %y : tensor<3x1x2x4x5xf32>
// CHECK-NEXT: }
