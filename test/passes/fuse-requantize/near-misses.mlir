// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-requantize | diff %t -

// What stays as it is: a scale of 1, one of each channel, a ratio that is no normal number.

func.func @one(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xui8> {
  %f = nn.constant #nn.dense<0.5 : tensor<f32>>
  %s = nn.constant #nn.dense<1.0 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %f : (tensor<1x2x4x4xi32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

func.func @scales_of_channels(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xui8> {
  %f = nn.constant #nn.dense<0.5 : tensor<f32>>
  %s = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1x1xf32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %f : (tensor<1x2x4x4xi32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %z : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

func.func @infinite_ratio(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xui8> {
  %f = nn.constant #nn.dense<1.0e+30 : tensor<f32>>
  %s = nn.constant #nn.dense<1.0e-30 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %f : (tensor<1x2x4x4xi32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

func.func @codes_with_a_zero_point(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %t = nn.constant #nn.dense<0.25 : tensor<f32>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %t, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}
