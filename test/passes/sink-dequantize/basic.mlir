// RUN: autodeploy-opt %s --sink-dequantize | filecheck %s

// Each reader has a dequantize of its own; sums of 32 bits stay where they are.

func.func @readers(%x: tensor<1x2x4x4xui8>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %a = nn.abs %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %r = nn.add %n, %n : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %a, %r : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

func.func @sums(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %n = nn.dequantize %x, %s : (tensor<1x2x4x4xi32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %a = nn.abs %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %r = nn.add %a, %n : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %r : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @readers(%x: tensor<1x2x4x4xui8>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %n_1 = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %a = nn.abs %n_1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %r = nn.add %n, %n : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %a, %r : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @sums(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %n = nn.dequantize %x, %s : (tensor<1x2x4x4xi32>, tensor<f32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %a = nn.abs %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   %r = nn.add %a, %n : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %r : tensor<1x2x4x4xf32>
// CHECK-NEXT: }
