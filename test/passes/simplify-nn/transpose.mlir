// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @merged
// CHECK-NEXT: %0 = nn.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK-NEXT: func.return %0
func.func @merged(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 2, 1, 0>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 1, 0, 2>} : (tensor<4x3x2xf32>) -> tensor<3x4x2xf32>
  func.return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: @cancelled
// CHECK-NEXT: func.return %x
func.func @cancelled(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  func.return %1 : tensor<2x3x4xf32>
}

// The inner one stays for its other user.
// CHECK-LABEL: @inner_used
// CHECK-NEXT: %0 = nn.transpose %x
// CHECK-NEXT: func.return %0, %x
func.func @inner_used(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<2x3xf32>) {
  %0 = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = nn.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %0, %1 : tensor<3x2xf32>, tensor<2x3xf32>
}

// The type of a square stays, its elements do not.
// CHECK-LABEL: @square
// CHECK-NEXT: nn.transpose
func.func @square(%x: tensor<3x3xf32>) -> tensor<3x3xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  func.return %0 : tensor<3x3xf32>
}

// CHECK-LABEL: @not_adjacent
// CHECK: nn.transpose
// CHECK-NEXT: nn.relu
// CHECK-NEXT: nn.transpose
func.func @not_adjacent(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = nn.relu %0 : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = nn.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  func.return %2 : tensor<2x3xf32>
}
