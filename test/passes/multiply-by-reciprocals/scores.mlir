// RUN: autodeploy-opt %s --multiply-by-reciprocals | filecheck %s

// A product over a number becomes the product times its reciprocal.

func.func @f(%q: tensor<4x8xf32>, %k: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %d = nn.constant #nn.dense<8.0 : tensor<f32>>
  %s = nn.matmul %q, %k : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %y = nn.div %s, %d : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}

// CHECK:      %s = nn.matmul %q, %k
// CHECK-NEXT: %0 = nn.constant #nn.dense<0.125 : tensor<f32>>
// CHECK-NEXT: %y = nn.mul %s, %0 : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
