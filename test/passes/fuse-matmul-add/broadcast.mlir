// RUN: autodeploy-opt %s --fuse-matmul-add | filecheck %s

// Any constant that broadcasts to the product without widening it will do.

func.func @column(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @whole(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<2x3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @batched(%a: tensor<5x2x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<f32>>
  %y = nn.matmul %a, %b : (tensor<5x2x4xf32>, tensor<4x3xf32>) -> tensor<5x2x3xf32>
  %s = nn.add %y, %c : (tensor<5x2x3xf32>, tensor<f32>) -> tensor<5x2x3xf32>
  func.return %s : tensor<5x2x3xf32>
}

// CHECK:      func.func @column(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @whole(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<0.5 : tensor<2x3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %c : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @batched(%a: tensor<5x2x4xf32>, %b: tensor<4x3xf32>) -> tensor<5x2x3xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %c : (tensor<5x2x4xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<5x2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<5x2x3xf32>
// CHECK-NEXT: }
