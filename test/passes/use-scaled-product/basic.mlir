// RUN: autodeploy-opt %s --use-scaled-product --simplify-nn --dce | filecheck %s

// Codes become unsigned and share bytes; equal zero points are one. A last block that is cut is whole
// again, with zeros in the rows.

func.func @rows(%x: tensor<1x32xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x16xi8>>
  %s = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<-1 : tensor<3x2x1xi8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xi8>, tensor<3x2x1xf32>, tensor<3x2x1xi8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x32xf32>, tensor<32x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @cut(%x: tensor<1x30xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<16 : tensor<3x2x16xui8>>
  %s = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<[0, 1, 2, 3, 4, 5] : tensor<3x2x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui8>, tensor<3x2x1xf32>, tensor<3x2x1xui8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %c = nn.slice %f {starts = array<i64: 0, 0>, sizes = array<i64: 3, 30>, steps = array<i64: 1, 1>} : (tensor<3x32xf32>) -> tensor<3x30xf32>
  %y = nn.matmul %x, %c {transpose_rhs = true} : (tensor<1x30xf32>, tensor<3x30xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @columns(%x: tensor<4x1x32xf32>) -> tensor<4x1x2xf32> {
  %w = nn.constant #nn.dense<3 : tensor<2x16x2xui8>>
  %s = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<2x1x2xf32>>
  %z = nn.constant #nn.dense<0 : tensor<ui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<2x16x2xui8>, tensor<2x1x2xf32>, tensor<ui8>) -> tensor<2x16x2xf32>
  %f = nn.reshape %n : (tensor<2x16x2xf32>) -> tensor<32x2xf32>
  %y = nn.matmul %x, %f : (tensor<4x1x32xf32>, tensor<32x2xf32>) -> tensor<4x1x2xf32>
  func.return %y : tensor<4x1x2xf32>
}

// CHECK:      func.func @rows(%x: tensor<1x32xf32>) -> tensor<1x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<255 : tensor<2x8x3xui8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[1.0, 3.0, 5.0, 2.0, 4.0, 6.0] : tensor<2x3xf32>>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<7 : tensor<ui8>>
// CHECK-NEXT:   %y = nn.scaled_matmul %x, %0, %1, %2 {block = 16 : i64} : (tensor<1x32xf32>, tensor<2x8x3xui8>, tensor<2x3xf32>, tensor<ui8>) -> tensor<1x3xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @cut(%x: tensor<1x30xf32>) -> tensor<1x3xf32> {
// CHECK-NEXT:   %0 = nn.pad %x {pads = array<i64: 0, 0, 0, 2>} : (tensor<1x30xf32>) -> tensor<1x32xf32>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<16 : tensor<2x16x3xui8>>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<[1.0, 3.0, 5.0, 2.0, 4.0, 6.0] : tensor<2x3xf32>>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0, 2, 4, 1, 3, 5] : tensor<2x3xui8>>
// CHECK-NEXT:   %y = nn.scaled_matmul %0, %1, %2, %3 {block = 16 : i64} : (tensor<1x32xf32>, tensor<2x16x3xui8>, tensor<2x3xf32>, tensor<2x3xui8>) -> tensor<1x3xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @columns(%x: tensor<4x1x32xf32>) -> tensor<4x1x2xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<255 : tensor<2x4x2xui8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<2x2xf32>>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<0 : tensor<ui8>>
// CHECK-NEXT:   %y = nn.scaled_matmul %x, %0, %1, %2 {block = 16 : i64} : (tensor<4x1x32xf32>, tensor<2x4x2xui8>, tensor<2x2xf32>, tensor<ui8>) -> tensor<4x1x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x1x2xf32>
// CHECK-NEXT: }
