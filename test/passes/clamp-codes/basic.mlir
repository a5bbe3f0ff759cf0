// RUN: autodeploy-opt %s --clamp-codes | filecheck %s

// A code or a sum is bounded by the code of 0.

func.func @codes(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.relu %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

func.func @sums(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1x1xf32>>
  %n = nn.dequantize %x, %s : (tensor<1x2x4x4xi32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = nn.relu %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @codes(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %1 = nn.max %x, %0 : (tensor<1x2x4x4xui8>, tensor<ui8>) -> tensor<1x2x4x4xui8>
// CHECK-NEXT:   %y = nn.dequantize %1, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @sums(%x: tensor<1x2x4x4xi32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1x1xf32>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<0 : tensor<i32>>
// CHECK-NEXT:   %1 = nn.max %x, %0 : (tensor<1x2x4x4xi32>, tensor<i32>) -> tensor<1x2x4x4xi32>
// CHECK-NEXT:   %y = nn.dequantize %1, %s : (tensor<1x2x4x4xi32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x4x4xf32>
// CHECK-NEXT: }
