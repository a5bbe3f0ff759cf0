// RUN: autodeploy-opt %s --fuse-matmul-add | filecheck %s

// The constant may stand on either side; transposed operands stay transposed.

func.func @right(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @left(%a: tensor<4x2xf32>, %b: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3xf32>>
  %y = nn.matmul %a, %b {transpose_lhs = true, transpose_rhs = true} : (tensor<4x2xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %s = nn.add %c, %y : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

// CHECK:      func.func @right(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left(%a: tensor<4x2xf32>, %b: tensor<3x4xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %c {transpose_lhs = true, transpose_rhs = true} : (tensor<4x2xf32>, tensor<3x4xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }
