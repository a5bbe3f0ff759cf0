// RUN: autodeploy-opt %s --join-product-factors | filecheck %s

// A root of the scale on queries and one on keys become the scale of the scores. Factors may stand first, and
// have axes of extent 1.

func.func @f(%q: tensor<2x4x8xf32>, %k: tensor<2x8x4xf32>) -> tensor<2x4x4xf32> {
  %a = nn.constant #nn.dense<0.5 : tensor<f32>>
  %b = nn.constant #nn.dense<[0.25] : tensor<1x1xf32>>
  %0 = nn.mul %q, %a : (tensor<2x4x8xf32>, tensor<f32>) -> tensor<2x4x8xf32>
  %1 = nn.mul %b, %k : (tensor<1x1xf32>, tensor<2x8x4xf32>) -> tensor<2x8x4xf32>
  %s = nn.matmul %0, %1 : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
  func.return %s : tensor<2x4x4xf32>
}

// CHECK:      %0 = nn.constant #nn.dense<[0.125] : tensor<1x1xf32>>
// CHECK-NEXT: %1 = nn.matmul %q, %k : (tensor<2x4x8xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
// CHECK-NEXT: %s = nn.mul %1, %0 : (tensor<2x4x4xf32>, tensor<1x1xf32>) -> tensor<2x4x4xf32>
