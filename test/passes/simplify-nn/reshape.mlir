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

// Reshapes of elements that have other places in each run are one, or nothing at all. What brings the number stays where
// elements move.

// CHECK-LABEL: @moved
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> tensor<2x1x6xf32, #nn.extents<[2, 1, d0], "n", 1 to 6>>
// CHECK-NEXT: %1 = nn.reshape %y, %n : (tensor<2x12xf32, #nn.extents<[2, 2 * d0], "n", 1 to 6>>, tensor<6xf32, #nn.extents<[d0], "n", 1 to 6>>) -> tensor<4x6xf32, #nn.extents<[4, d0], "n", 1 to 6>>
// CHECK-NEXT: func.return %0, %x, %1
func.func @moved(%x: tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>, %y: tensor<2x12xf32, #nn.extents<[2, 2 * d0], "n", 1 to 6>>, %n: tensor<6xf32, #nn.extents<[d0], "n", 1 to 6>>) -> (tensor<2x1x6xf32, #nn.extents<[2, 1, d0], "n", 1 to 6>>, tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>, tensor<4x6xf32, #nn.extents<[4, d0], "n", 1 to 6>>) {
  %0 = nn.reshape %x : (tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>
  %1 = nn.reshape %0, %n : (tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>, tensor<6xf32, #nn.extents<[d0], "n", 1 to 6>>) -> tensor<2x1x6xf32, #nn.extents<[2, 1, d0], "n", 1 to 6>>
  %2 = nn.reshape %0, %n : (tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>, tensor<6xf32, #nn.extents<[d0], "n", 1 to 6>>) -> tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>
  %3 = nn.reshape %y : (tensor<2x12xf32, #nn.extents<[2, 2 * d0], "n", 1 to 6>>) -> tensor<24xf32, #nn.extents<[4 * d0], "n", 1 to 6>>
  %4 = nn.reshape %3, %n : (tensor<24xf32, #nn.extents<[4 * d0], "n", 1 to 6>>, tensor<6xf32, #nn.extents<[d0], "n", 1 to 6>>) -> tensor<4x6xf32, #nn.extents<[4, d0], "n", 1 to 6>>
  func.return %1, %2, %4 : tensor<2x1x6xf32, #nn.extents<[2, 1, d0], "n", 1 to 6>>, tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>, tensor<4x6xf32, #nn.extents<[4, d0], "n", 1 to 6>>
}

// One that moves elements in memory, and one that moves none, stay two.

// CHECK-LABEL: @viewed
// CHECK-NEXT: %0 = nn.reshape %x :
// CHECK-NEXT: %1 = nn.reshape %0 :
// CHECK-NEXT: %2 = nn.reshape %x :
// CHECK-NEXT: %3 = nn.reshape %2 :
// CHECK-NEXT: func.return %1, %3
func.func @viewed(%x: tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> (tensor<12x1xf32, #nn.extents<[2 * d0, 1], "n", 1 to 6>>, tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>) {
  %0 = nn.reshape %x : (tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>
  %1 = nn.reshape %0 : (tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>) -> tensor<12x1xf32, #nn.extents<[2 * d0, 1], "n", 1 to 6>>
  %2 = nn.reshape %x : (tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> tensor<2x1x6xf32, #nn.extents<[2, 1, d0], "n", 1 to 6>>
  %3 = nn.reshape %2 : (tensor<2x1x6xf32, #nn.extents<[2, 1, d0], "n", 1 to 6>>) -> tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>
  func.return %1, %3 : tensor<12x1xf32, #nn.extents<[2 * d0, 1], "n", 1 to 6>>, tensor<12xf32, #nn.extents<[2 * d0], "n", 1 to 6>>
}
