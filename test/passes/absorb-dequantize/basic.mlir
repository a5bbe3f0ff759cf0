// RUN: autodeploy-opt %s --absorb-dequantize | filecheck %s

// The op and the dequantised codes of both operands are one kernel.

func.func @residual(%x: tensor<1x2x4x4xui8>, %y: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %m = nn.dequantize %y, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %r = nn.add %n, %m : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %r : tensor<1x2x4x4xf32>
}

func.func @third(%c: tensor<1x2x4x4xi1>, %x: tensor<1x2x4x4xf32>, %y: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %m = nn.dequantize %y, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %r = nn.where %c, %x, %m : (tensor<1x2x4x4xi1>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %r : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @residual(%x: tensor<1x2x4x4xui8>, %y: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %r = nn.kernel(%y, %x) : (tensor<1x2x4x4xui8>, tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   ^bb0(%y_1: tensor<1x2x4x4xui8>, %x_1: tensor<1x2x4x4xui8>):
// CHECK-NEXT:     %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:     %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:     %m = nn.dequantize %y_1, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:     %n = nn.dequantize %x_1, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:     %r_1 = nn.add %n, %m : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:     nn.yield %r_1 : tensor<1x2x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : tensor<1x2x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @third(%c: tensor<1x2x4x4xi1>, %x: tensor<1x2x4x4xf32>, %y: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %r = nn.kernel(%y, %c, %x) : (tensor<1x2x4x4xui8>, tensor<1x2x4x4xi1>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   ^bb0(%y_1: tensor<1x2x4x4xui8>, %c_1: tensor<1x2x4x4xi1>, %x_1: tensor<1x2x4x4xf32>):
// CHECK-NEXT:     %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:     %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:     %m = nn.dequantize %y_1, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:     %r_1 = nn.where %c_1, %x_1, %m : (tensor<1x2x4x4xi1>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:     nn.yield %r_1 : tensor<1x2x4x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : tensor<1x2x4x4xf32>
// CHECK-NEXT: }
