// RUN: autodeploy-opt %s --fuse-requantize | filecheck %s

// Sums are scaled by the ratio of the scales, which is rounded once.

func.func @requantize(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xui8> {
  %f = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1x1xf32>>
  %s = nn.constant #nn.dense<0.125 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %f : (tensor<1x2x4x4xi32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %q = nn.quantize %n, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  func.return %q : tensor<1x2x4x4xui8>
}

// CHECK:      func.func @requantize(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xui8> {
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[4.0, 2.0] : tensor<2x1x1xf32>>
// CHECK-NEXT:   %1 = nn.dequantize %x, %0 : (tensor<1x2x4x4xi32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<1.0 : tensor<f32>>
// CHECK-NEXT:   %q = nn.quantize %1, %2, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
// CHECK-NEXT:   func.return %q : tensor<1x2x4x4xui8>
// CHECK-NEXT: }
