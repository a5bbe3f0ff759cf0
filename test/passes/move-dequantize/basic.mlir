// RUN: autodeploy-opt %s --move-dequantize | filecheck %s

// Codes are moved, and the largest of some are the codes of the largest numbers.

func.func @reshape(%x: tensor<1x2x4x4xui8>) -> tensor<32xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.reshape %n : (tensor<1x2x4x4xf32>) -> tensor<32xf32>
  func.return %y : tensor<32xf32>
}

func.func @transpose(%x: tensor<1x2x4x4xui8>) -> tensor<4x1x2x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.transpose %n {permutation = array<i64: 2, 0, 1, 3>} : (tensor<1x2x4x4xf32>) -> tensor<4x1x2x4xf32>
  func.return %y : tensor<4x1x2x4xf32>
}

func.func @slice(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.slice %n {starts = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 2, 2, 4>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x4xf32>
  func.return %y : tensor<1x2x2x4xf32>
}

func.func @pool(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.max_pool %n {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

// CHECK:      func.func @reshape(%x: tensor<1x2x4x4xui8>) -> tensor<32xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<1x2x4x4xui8>) -> tensor<32xui8>
// CHECK-NEXT:   %y = nn.dequantize %0, %s, %z : (tensor<32xui8>, tensor<f32>, tensor<ui8>) -> tensor<32xf32>
// CHECK-NEXT:   func.return %y : tensor<32xf32>
// CHECK-NEXT: }

// CHECK:      func.func @transpose(%x: tensor<1x2x4x4xui8>) -> tensor<4x1x2x4xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 2, 0, 1, 3>} : (tensor<1x2x4x4xui8>) -> tensor<4x1x2x4xui8>
// CHECK-NEXT:   %y = nn.dequantize %0, %s, %z : (tensor<4x1x2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x1x2x4xf32>
// CHECK-NEXT:   func.return %y : tensor<4x1x2x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @slice(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x4xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.slice %x {starts = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 2, 2, 4>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x2x4x4xui8>) -> tensor<1x2x2x4xui8>
// CHECK-NEXT:   %y = nn.dequantize %0, %s, %z : (tensor<1x2x2x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x2x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @pool(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xui8>
// CHECK-NEXT:   %y = nn.dequantize %0, %s, %z : (tensor<1x2x2x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x2x2xf32>
// CHECK-NEXT: }
