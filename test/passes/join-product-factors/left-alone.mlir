// RUN: autodeploy-opt %s --join-product-factors | filecheck %s

// A factor of one operand alone; one for each channel; one that is large, one that is zero; operands that
// others read; a bias, which is not multiplied; 16 bits.

// CHECK-COUNT-13: nn.mul
// CHECK-NOT:      nn.mul

func.func @f(%x: tensor<4x4xf32>, %h: tensor<4x4xf16>, %b: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf16>) {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %each = nn.constant #nn.dense<[0.5, 0.25, 0.5, 0.5] : tensor<4xf32>>
  %large = nn.constant #nn.dense<1.0e20 : tensor<f32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<f32>>
  %short = nn.constant #nn.dense<0.5 : tensor<f16>>
  %0 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %alone = nn.matmul %0, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %2 = nn.mul %x, %each : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %channels = nn.matmul %1, %2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %4 = nn.mul %x, %large : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %huge = nn.matmul %3, %4 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %6 = nn.mul %x, %zero : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %none = nn.matmul %5, %6 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %8 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %read = nn.matmul %7, %8 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %10 = nn.mul %x, %half : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %biased = nn.matmul %9, %10, %b : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  %11 = nn.mul %h, %short : (tensor<4x4xf16>, tensor<f16>) -> tensor<4x4xf16>
  %12 = nn.mul %h, %short : (tensor<4x4xf16>, tensor<f16>) -> tensor<4x4xf16>
  %shorts = nn.matmul %11, %12 : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  func.return %alone, %channels, %huge, %none, %read, %7, %biased, %shorts : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf16>
}
