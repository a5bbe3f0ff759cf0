// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @unit
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32>
func.func @unit(%x: tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32>
  func.return %0 : tensor<1x1x1x8xf32>
}

// The reshape that it becomes merges with the next one.
// CHECK-LABEL: @then_reshape
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<1x8x1x1xf32>) -> tensor<8xf32>
// CHECK-NEXT: func.return %0
func.func @then_reshape(%x: tensor<1x8x1x1xf32>) -> tensor<8xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x1x1xf32>) -> tensor<1x1x1x8xf32>
  %1 = nn.reshape %0 : (tensor<1x1x1x8xf32>) -> tensor<8xf32>
  func.return %1 : tensor<8xf32>
}

// CHECK-LABEL: @two_wide_axes_swap
// CHECK-NEXT: nn.transpose
func.func @two_wide_axes_swap(%x: tensor<1x8x2x1xf32>) -> tensor<1x2x1x8xf32> {
  %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x2x1xf32>) -> tensor<1x2x1x8xf32>
  func.return %0 : tensor<1x2x1x8xf32>
}
