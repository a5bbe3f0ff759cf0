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

// Reshapes of elements that have other places in each run: by how axes grow they are one, or nothing at all.

// CHECK-LABEL: @grown
// CHECK-NEXT: %0 = nn.reshape %x {growths = [array<i64: 0, 1>, array<i64: 0, 2>]} : (tensor<2x6xf32>) -> tensor<1x12xf32>
// CHECK-NEXT: func.return %0, %x
func.func @grown(%x: tensor<2x6xf32>) -> (tensor<1x12xf32>, tensor<2x6xf32>) {
  %0 = nn.reshape %x {growths = [affine_map<(n) -> (0, n)>, array<i64: 2>]} : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = nn.reshape %0 {growths = [array<i64: 2>, affine_map<(n) -> (0, 2 * n)>]} : (tensor<12xf32>) -> tensor<1x12xf32>
  %2 = nn.reshape %0 {growths = [array<i64: 2>, affine_map<(n) -> (0, n)>]} : (tensor<12xf32>) -> tensor<2x6xf32>
  func.return %1, %2 : tensor<1x12xf32>, tensor<2x6xf32>
}

// CHECK-LABEL: @viewed
// CHECK-NEXT: %0 = nn.reshape %x {growths
// CHECK-NEXT: %1 = nn.reshape %0 :
// CHECK-NEXT: %2 = nn.reshape %x :
// CHECK-NEXT: %3 = nn.reshape %2 {growths
func.func @viewed(%x: tensor<2x6xf32>) -> (tensor<12x1xf32>, tensor<12xf32>) {
  %0 = nn.reshape %x {growths = [affine_map<(n) -> (0, n)>, array<i64: 2>]} : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = nn.reshape %0 : (tensor<12xf32>) -> tensor<12x1xf32>
  %2 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<2x1x6xf32>
  %3 = nn.reshape %2 {growths = [affine_map<(n) -> (0, 0, n)>, array<i64: 2>]} : (tensor<2x1x6xf32>) -> tensor<12xf32>
  func.return %1, %3 : tensor<12x1xf32>, tensor<12xf32>
}
