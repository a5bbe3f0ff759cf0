// RUN: autodeploy-opt %s --cancel-quantize | filecheck %s

// Codes that are dequantised and quantised with the same parameters are the codes.

func.func @same(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

func.func @equal_constants(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %t = nn.constant #nn.dense<[0.5] : tensor<1xf32>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %t, %z : (tensor<1x2x4x4xf32>, tensor<1xf32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

// CHECK:      func.func @same(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
// CHECK-NEXT:   func.return %x : tensor<1x2x4x4xui8>
// CHECK-NEXT: }

// CHECK:      func.func @equal_constants(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xui8> {
// CHECK-NEXT:   func.return %x : tensor<1x2x4x4xui8>
// CHECK-NEXT: }
