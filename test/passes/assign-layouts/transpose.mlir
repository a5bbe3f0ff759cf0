// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// A transpose of the model starts from the other order; one to channels last becomes nothing.

func.func @f(%x: tensor<1x2x4x5xf32>) -> (tensor<1x4x5x2xf32>, tensor<2x1x5x4xf32>) {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %a = nn.transpose %p {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
  %b = nn.transpose %p {permutation = array<i64: 1, 0, 3, 2>} : (tensor<1x2x4x5xf32>) -> tensor<2x1x5x4xf32>
  func.return %a, %b : tensor<1x4x5x2xf32>, tensor<2x1x5x4xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x4x5xf32>) -> (tensor<1x4x5x2xf32>, tensor<2x1x5x4xf32>) {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %a = nn.transpose %p {permutation = array<i64: 0, 1, 2, 3>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %b = nn.transpose %p {permutation = array<i64: 3, 0, 2, 1>} : (tensor<1x4x5x2xf32>) -> tensor<2x1x5x4xf32>
// CHECK-NEXT:   func.return %a, %b : tensor<1x4x5x2xf32>, tensor<2x1x5x4xf32>
// CHECK-NEXT: }
