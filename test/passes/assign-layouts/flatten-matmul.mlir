// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// The rows of constant right-hand sides are put in the order of a channels-last image, whichever way
// they lie; two products may share the flattened image.

func.func @f(%x: tensor<2x2x4x5xf32>) -> (tensor<2x3xf32>, tensor<2x6xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<40x3xf32>>
  %v = nn.constant #nn.dense<1.0 : tensor<6x40xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %f, %w : (tensor<2x40xf32>, tensor<40x3xf32>) -> tensor<2x3xf32>
  %b = nn.matmul %f, %v {transpose_rhs = true} : (tensor<2x40xf32>, tensor<6x40xf32>) -> tensor<2x6xf32>
  func.return %a, %b : tensor<2x3xf32>, tensor<2x6xf32>
}

// CHECK:      func.func @f(%x: tensor<2x2x4x5xf32>) -> (tensor<2x3xf32>, tensor<2x6xf32>) {
// CHECK-NEXT:   %w = nn.constant #nn.dense<1.0 : tensor<40x3xf32>>
// CHECK-NEXT:   %v = nn.constant #nn.dense<1.0 : tensor<6x40xf32>>
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<2x4x5x2xf32>) -> tensor<2x4x5x2xf32>
// CHECK-NEXT:   %f = nn.reshape %p : (tensor<2x4x5x2xf32>) -> tensor<2x40xf32>
// CHECK-NEXT:   %1 = nn.reshape %w : (tensor<40x3xf32>) -> tensor<2x4x5x3xf32>
// CHECK-NEXT:   %2 = nn.transpose %1 {permutation = array<i64: 1, 2, 0, 3>} : (tensor<2x4x5x3xf32>) -> tensor<4x5x2x3xf32>
// CHECK-NEXT:   %3 = nn.reshape %2 : (tensor<4x5x2x3xf32>) -> tensor<40x3xf32>
// CHECK-NEXT:   %a = nn.matmul %f, %3 : (tensor<2x40xf32>, tensor<40x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %4 = nn.reshape %v : (tensor<6x40xf32>) -> tensor<6x2x4x5xf32>
// CHECK-NEXT:   %5 = nn.transpose %4 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<6x2x4x5xf32>) -> tensor<6x4x5x2xf32>
// CHECK-NEXT:   %6 = nn.reshape %5 : (tensor<6x4x5x2xf32>) -> tensor<6x40xf32>
// CHECK-NEXT:   %7 = nn.transpose %6 {permutation = array<i64: 1, 0>} : (tensor<6x40xf32>) -> tensor<40x6xf32>
// CHECK-NEXT:   %b = nn.matmul %f, %7 : (tensor<2x40xf32>, tensor<40x6xf32>) -> tensor<2x6xf32>
// CHECK-NEXT:   func.return %a, %b : tensor<2x3xf32>, tensor<2x6xf32>
// CHECK-NEXT: }
