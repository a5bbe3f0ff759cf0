// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @merged
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
// CHECK-NEXT: func.return %0
func.func @merged(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = nn.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>
  func.return %1 : tensor<12xf32>
}

// CHECK-LABEL: @back_again
// CHECK-NEXT: func.return %x
func.func @back_again(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = nn.reshape %0 : (tensor<3x4xf32>) -> tensor<2x6xf32>
  func.return %1 : tensor<2x6xf32>
}

// CHECK-LABEL: @same_shape
// CHECK-NEXT: func.return %x
func.func @same_shape(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<2x6xf32>
  func.return %0 : tensor<2x6xf32>
}

// CHECK-LABEL: @transpose_between
// CHECK-NEXT: nn.reshape
// CHECK-NEXT: nn.transpose
// CHECK-NEXT: nn.reshape
func.func @transpose_between(%x: tensor<2x6xf32>) -> tensor<12xf32> {
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %2 = nn.reshape %1 : (tensor<4x3xf32>) -> tensor<12xf32>
  func.return %2 : tensor<12xf32>
}
