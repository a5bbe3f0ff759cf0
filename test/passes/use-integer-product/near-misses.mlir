// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --use-integer-product | diff %t -

// What stays a sum of floats.

func.func @scales_of_rows(%x: tensor<4x3xui8>) -> tensor<4x2xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 0.125] : tensor<3x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2xi8>, tensor<3x1xf32>, tensor<i8>) -> tensor<3x2xf32>
  %y = nn.matmul %xd, %wd : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
