// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// A result that is returned twice and read inside is transposed back once.

func.func @f(%x: tensor<1x2x4x5xf32>) -> (tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>) {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %r = nn.relu %p : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  func.return %p, %r, %p : tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x4x5xf32>) -> (tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>) {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   %r = nn.relu %p : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %r_1 = nn.transpose %r {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   func.return %p_1, %r_1, %p_1 : tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>
// CHECK-NEXT: }
