// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Matrix products: transposed operands, batches that broadcast, bias, packed columns.

func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %t: tensor<4x3xf32>, %u: tensor<3x2xf32>, %bias: tensor<4xf32>, %s: tensor<5x1x2x3xf32>, %r: tensor<6x3x4xf32>, %m: tensor<2x1xf32>, %p: tensor<2x3x16xf32>) {
  %0 = nn.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = nn.matmul %a, %t, %bias {transpose_rhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = nn.matmul %u, %b, %m {transpose_lhs = true, transpose_rhs = false} : (tensor<3x2xf32>, tensor<3x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %3 = nn.matmul %s, %r : (tensor<5x1x2x3xf32>, tensor<6x3x4xf32>) -> tensor<5x6x2x4xf32>
  %4 = nn.matmul %a, %p {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<2x3xf32>, tensor<2x3x16xf32>) -> tensor<2x32xf32>
  %5 = nn.matmul %a, %p {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 24>} : (tensor<2x3xf32>, tensor<2x3x16xf32>) -> tensor<2x24xf32>
  func.return
}

// CHECK:      func.func @f(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %t: tensor<4x3xf32>, %u: tensor<3x2xf32>, %bias: tensor<4xf32>, %s: tensor<5x1x2x3xf32>, %r: tensor<6x3x4xf32>, %m: tensor<2x1xf32>, %p: tensor<2x3x16xf32>) {
// CHECK-NEXT:   %0 = nn.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   %1 = nn.matmul %a, %t, %bias {transpose_rhs = true} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   %2 = nn.matmul %u, %b, %m {transpose_lhs = true} : (tensor<3x2xf32>, tensor<3x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   %3 = nn.matmul %s, %r : (tensor<5x1x2x3xf32>, tensor<6x3x4xf32>) -> tensor<5x6x2x4xf32>
// CHECK-NEXT:   %4 = nn.matmul %a, %p {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<2x3xf32>, tensor<2x3x16xf32>) -> tensor<2x32xf32>
// CHECK-NEXT:   %5 = nn.matmul %a, %p {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 24>} : (tensor<2x3xf32>, tensor<2x3x16xf32>) -> tensor<2x24xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
