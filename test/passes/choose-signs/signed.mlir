// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon-dotprod --choose-signs | filecheck %s

// The machine sums products of signed codes: zero points move by 128.

func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %q = nn.quantize %x, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xui8>
  %n = nn.dequantize %q, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  func.return %n : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<-125 : tensor<i8>>
// CHECK-NEXT:   %q = nn.quantize %x, %s, %0 : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xi8>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<-125 : tensor<i8>>
// CHECK-NEXT:   %n = nn.dequantize %q, %s, %1 : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %n : tensor<1x2x4x4xf32>
// CHECK-NEXT: }
