// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --cancel-quantize | diff %t -

// Codes of another scale, zero point or type are others.

func.func @other_scale(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %t = nn.constant #nn.dense<0.25 : tensor<f32>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %t, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

func.func @other_zero_point(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %t = nn.constant #nn.dense<4 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %t : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

func.func @other_type(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %t = nn.constant #nn.dense<3 : tensor<i8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %t : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xi8>
  func.return %q : tensor<1x2x4x4xi8>
}
