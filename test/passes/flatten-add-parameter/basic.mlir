// RUN: autodeploy-opt %s --flatten-add-parameter | filecheck %s

// A bias along the last axis alone gets one axis.

func.func @row(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3xf32>>
  %y = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @batched(%a: tensor<5x2x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<1x1x3xf32>>
  %y = nn.matmul %a, %b, %c : (tensor<5x2x4xf32>, tensor<4x3xf32>, tensor<1x1x3xf32>) -> tensor<5x2x3xf32>
  func.return %y : tensor<5x2x3xf32>
}

// CHECK:      func.func @row(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT:   %y = nn.matmul %a, %b, %0 : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @batched(%a: tensor<5x2x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<0.5 : tensor<3xf32>>
// CHECK-NEXT:   %y = nn.matmul %a, %b, %0 : (tensor<5x2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<5x2x3xf32>
// CHECK-NEXT:   func.return %y : tensor<5x2x3xf32>
// CHECK-NEXT: }
