// RUN: autodeploy-opt %s --use-integers | filecheck %s

// A convolution, a relu and a pool of codes: no number is computed before the end.

func.func @main(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x2x2xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<0.25 : tensor<f32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<f32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %n, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.relu %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %q = nn.quantize %r, %s, %z : (tensor<1x3x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x3x4x4xui8>
  %m = nn.dequantize %q, %s, %z : (tensor<1x3x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x4x4xf32>
  %p = nn.max_pool %m {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>) -> tensor<1x3x2x2xf32>
  %c = nn.quantize %p, %s, %z : (tensor<1x3x2x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x3x2x2xui8>
  func.return %c : tensor<1x3x2x2xui8>
}

// CHECK:      func.func @main(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x2x2xui8> {
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[3, -21, -3] : tensor<3xi32>>
// CHECK-NEXT:   %2 = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, accumulator = i32} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x4x4xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<0 : tensor<i32>>
// CHECK-NEXT:   %4 = nn.max %2, %3 : (tensor<1x3x4x4xi32>, tensor<i32>) -> tensor<1x3x4x4xi32>
// CHECK-NEXT:   %5 = nn.constant #nn.dense<0.25 : tensor<f32>>
// CHECK-NEXT:   %6 = nn.dequantize %4, %5 : (tensor<1x3x4x4xi32>, tensor<f32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   %7 = nn.constant #nn.dense<1.0 : tensor<f32>>
// CHECK-NEXT:   %q = nn.quantize %6, %7, %z : (tensor<1x3x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x3x4x4xui8>
// CHECK-NEXT:   %c = nn.max_pool %q {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xui8>) -> tensor<1x3x2x2xui8>
// CHECK-NEXT:   func.return %c : tensor<1x3x2x2xui8>
// CHECK-NEXT: }
