// RUN: autodeploy-opt %s --multiply-by-reciprocals | filecheck %s

// No sum of products; sums that are read twice; a divisor that is computed, whose reciprocal is no normal
// number, and one of 16 bits.

// CHECK-COUNT-6: nn.div
// CHECK-NOT:     nn.mul

func.func @f(%x: tensor<4x4xf32>, %h: tensor<4x4xf16>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf16>) {
  %three = nn.constant #nn.dense<3.0 : tensor<f32>>
  %large = nn.constant #nn.dense<3.0e38 : tensor<f32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<f32>>
  %half = nn.constant #nn.dense<3.0 : tensor<f16>>
  %0 = nn.div %x, %three : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %1 = nn.matmul %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = nn.div %1, %1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = nn.matmul %2, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = nn.div %3, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = nn.matmul %x, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = nn.div %5, %large : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %7 = nn.matmul %2, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = nn.div %7, %zero : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %9 = nn.matmul %h, %h : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %10 = nn.div %9, %half : (tensor<4x4xf16>, tensor<f16>) -> tensor<4x4xf16>
  func.return %0, %2, %4, %6, %8, %10 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf16>
}
