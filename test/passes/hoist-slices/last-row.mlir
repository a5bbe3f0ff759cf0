// RUN: autodeploy-opt %s --hoist-slices | filecheck %s

// The last row of a run of open length is multiplied alone, through a bias and a reshape. So is one of a product with
// packed codes, which is the columns' alone.

// CHECK:       func.func @last(
// CHECK-NEXT:    [[S:%.*]] = nn.slice %x {starts = #nn.extents<[0, d0 - 1, 0], "n", 2 to 8>, sizes = array<i64: 1, 1, 32>, steps = array<i64: 1, 1, 1>}
// CHECK-NEXT:    [[P:%.*]] = nn.matmul [[S]], %w : (tensor<1x1x32xf32>, tensor<32x24xf32>) -> tensor<1x1x24xf32>
// CHECK-NEXT:    [[A:%.*]] = nn.add [[P]], %b : (tensor<1x1x24xf32>, tensor<24xf32>) -> tensor<1x1x24xf32>
// CHECK-NEXT:    [[R:%.*]] = nn.reshape [[A]] : (tensor<1x1x24xf32>) -> tensor<1x1x4x6xf32>
// CHECK-NEXT:    func.return [[R]]
func.func @last(%x: tensor<1x8x32xf32, #nn.extents<[1, d0, 32], "n", 2 to 8>>, %w: tensor<32x24xf32>, %b: tensor<24xf32>) -> tensor<1x1x4x6xf32> {
  %p = nn.matmul %x, %w : (tensor<1x8x32xf32, #nn.extents<[1, d0, 32], "n", 2 to 8>>, tensor<32x24xf32>) -> tensor<1x8x24xf32, #nn.extents<[1, d0, 24], "n", 2 to 8>>
  %a = nn.add %p, %b : (tensor<1x8x24xf32, #nn.extents<[1, d0, 24], "n", 2 to 8>>, tensor<24xf32>) -> tensor<1x8x24xf32, #nn.extents<[1, d0, 24], "n", 2 to 8>>
  %r = nn.reshape %a : (tensor<1x8x24xf32, #nn.extents<[1, d0, 24], "n", 2 to 8>>) -> tensor<1x8x4x6xf32, #nn.extents<[1, d0, 4, 6], "n", 2 to 8>>
  %s = nn.slice %r {starts = #nn.extents<[0, d0 - 1, 0, 0], "n", 2 to 8>, sizes = array<i64: 1, 1, 4, 6>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x8x4x6xf32, #nn.extents<[1, d0, 4, 6], "n", 2 to 8>>) -> tensor<1x1x4x6xf32>
  func.return %s : tensor<1x1x4x6xf32>
}

// CHECK:       func.func @packed(
// CHECK:         [[S:%.*]] = nn.slice %x {starts = array<i64: 7, 0>
// CHECK-NEXT:    [[P:%.*]] = nn.scaled_matmul [[S]], {{.*}} -> tensor<1x6xf32>
// CHECK-NEXT:    func.return [[P]]
func.func @packed(%x: tensor<8x32xf32>) -> tensor<1x6xf32> {
  %codes = nn.constant #nn.dense<1 : tensor<2x8x6xui8>>
  %scales = nn.constant #nn.dense<1.0 : tensor<2x6xf32>>
  %zero = nn.constant #nn.dense<8 : tensor<ui8>>
  %p = nn.scaled_matmul %x, %codes, %scales, %zero {block = 16} : (tensor<8x32xf32>, tensor<2x8x6xui8>, tensor<2x6xf32>, tensor<ui8>) -> tensor<8x6xf32>
  %s = nn.slice %p {starts = array<i64: 7, 0>, sizes = array<i64: 1, 6>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  func.return %s : tensor<1x6xf32>
}
