// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon-dotprod > %t
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon-dotprod --choose-signs | diff %t -

// Codes stay that something else reads, and those of 16 bits.

func.func @other_readers(%x: tensor<1x2x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xui8>) {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %q = nn.quantize %x, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  %n = nn.dequantize %q, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  func.return %n, %q : tensor<1x2x4x4xf32>, tensor<1x2x4x4xui8>
}

func.func @wide_codes(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui16>>
  %q = nn.quantize %x, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui16>) -> tensor<1x2x4x4xui16>
  %n = nn.dequantize %q, %s, %z : (tensor<1x2x4x4xui16>, tensor<f32>, tensor<ui16>) -> tensor<1x2x4x4xf32>
  func.return %n : tensor<1x2x4x4xf32>
}
