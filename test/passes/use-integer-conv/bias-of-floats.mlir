// RUN: autodeploy-opt %s --use-integer-conv | filecheck %s

// Where the result is quantised, a bias of floats is rounded to codes.

func.func @bias_of_floats(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xui8> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<0 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %b = nn.constant #nn.dense<[0.3, 0.2, -2.6] : tensor<3xf32>>
  %ys = nn.constant #nn.dense<0.75 : tensor<f32>>
  %yz = nn.constant #nn.dense<1 : tensor<ui8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %c = nn.conv %xd, %wd, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.relu %c : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %q = nn.quantize %r, %ys, %yz : (tensor<1x3x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x3x4x4xui8>
  func.return %q : tensor<1x3x4x4xui8>
}

// CHECK:      func.func @bias_of_floats(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xui8> {
// CHECK-NEXT:   %ys = nn.constant #nn.dense<0.75 : tensor<f32>>
// CHECK-NEXT:   %yz = nn.constant #nn.dense<1 : tensor<ui8>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[1, 2, -3] : tensor<3xi32>>
// CHECK-NEXT:   %2 = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, accumulator = i32} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x4x4xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0.25, 0.125, 1.0] : tensor<3x1x1xf32>>
// CHECK-NEXT:   %c = nn.dequantize %2, %3 : (tensor<1x3x4x4xi32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   %r = nn.relu %c : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   %q = nn.quantize %r, %ys, %yz : (tensor<1x3x4x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x3x4x4xui8>
// CHECK-NEXT:   func.return %q : tensor<1x3x4x4xui8>
// CHECK-NEXT: }
