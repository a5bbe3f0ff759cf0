// RUN: autodeploy-opt %s --use-integer-conv | filecheck %s

// The bias has the products of the zero point, which the pads hold.

func.func @padded(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x6x6xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %b = nn.constant #nn.dense<[10, 20, 30] : tensor<3xi32>>
  %bs = nn.constant #nn.dense<[0.25, 0.125, 1.0] : tensor<3xf32>>
  %bd = nn.dequantize %b, %bs : (tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd, %bd {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x6x6xf32>
  func.return %y : tensor<1x3x6x6xf32>
}

func.func @zero_point_of_zero(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x6x6xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<0 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x6x6xf32>
  func.return %y : tensor<1x3x6x6xf32>
}

func.func @weights_of_eight_bits(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[129, 126, 131, 132, 123, 134] : tensor<3x2x1x1xui8>>
  %ws = nn.constant #nn.dense<0.5 : tensor<f32>>
  %wz = nn.constant #nn.dense<128 : tensor<ui8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @weights_of_nine_bits(%x: tensor<1x2x4x4xi8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<-3 : tensor<i8>>
  %w = nn.constant #nn.dense<[1, 2, 255, 4, 5, 6] : tensor<3x2x1x1xui8>>
  %ws = nn.constant #nn.dense<0.5 : tensor<f32>>
  %wz = nn.constant #nn.dense<100 : tensor<ui8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xui8>, tensor<f32>, tensor<ui8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @padded(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x6x6xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[13, -1, 27] : tensor<3xi32>>
// CHECK-NEXT:   %2 = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32, fill = 3 : i64} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0.25, 0.125, 1.0] : tensor<3x1x1xf32>>
// CHECK-NEXT:   %y = nn.dequantize %2, %3 : (tensor<1x3x6x6xi32>, tensor<3x1x1xf32>) -> tensor<1x3x6x6xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x6x6xf32>
// CHECK-NEXT: }

// CHECK:      func.func @zero_point_of_zero(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x6x6xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0 : tensor<3xi32>>
// CHECK-NEXT:   %2 = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0.25, 0.125, 1.0] : tensor<3x1x1xf32>>
// CHECK-NEXT:   %y = nn.dequantize %2, %3 : (tensor<1x3x6x6xi32>, tensor<3x1x1xf32>) -> tensor<1x3x6x6xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x6x6xf32>
// CHECK-NEXT: }

// CHECK:      func.func @weights_of_eight_bits(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[3, -21, -3] : tensor<3xi32>>
// CHECK-NEXT:   %2 = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, accumulator = i32} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x4x4xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<0.25 : tensor<f32>>
// CHECK-NEXT:   %y = nn.dequantize %2, %3 : (tensor<1x3x4x4xi32>, tensor<f32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @weights_of_nine_bits(%x: tensor<1x2x4x4xi8>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[-99, -98, 155, -96, -95, -94] : tensor<3x2x1x1xi16>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-591, 177, -567] : tensor<3xi32>>
// CHECK-NEXT:   %2 = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, accumulator = i32} : (tensor<1x2x4x4xi8>, tensor<3x2x1x1xi16>, tensor<3xi32>) -> tensor<1x3x4x4xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<0.25 : tensor<f32>>
// CHECK-NEXT:   %y = nn.dequantize %2, %3 : (tensor<1x3x4x4xi32>, tensor<f32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
