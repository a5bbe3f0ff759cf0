// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// A transposed constant is turned, so that its columns are contiguous; anything else stays.

func.func @f(%x: tensor<2x4xf32>, %v: tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<3x4xf32>>
  %a = nn.matmul %x, %w {transpose_rhs = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %b = nn.matmul %x, %v {transpose_rhs = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  func.return %a, %b : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK:      func.func @f(%x: tensor<2x4xf32>, %v: tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
// CHECK-NEXT:   %w = nn.constant #nn.dense<1.0 : tensor<3x4xf32>>
// CHECK-NEXT:   %0 = nn.transpose %w {permutation = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:   %a = nn.matmul %x, %0 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   %b = nn.matmul %x, %v {transpose_rhs = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %a, %b : tensor<2x3xf32>, tensor<2x3xf32>
// CHECK-NEXT: }
