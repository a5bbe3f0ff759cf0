// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Codes: integers that stand for floats.

func.func @codes(%x: tensor<1x2x4x4xf32>, %s: tensor<f32>, %z: tensor<2x1x1xi16>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi16>) {
  %q = nn.quantize %x, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<2x1x1xi16>) -> tensor<1x2x4x4xi16>
  %n = nn.dequantize %q, %s, %z : (tensor<1x2x4x4xi16>, tensor<f32>, tensor<2x1x1xi16>) -> tensor<1x2x4x4xf32>
  func.return %n, %q : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi16>
}

func.func @sums(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xi8>, %b: tensor<3xi32>, %s: tensor<3x1x1xf32>) -> tensor<1x3x6x6xf32> {
  %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32, fill = 128 : i64} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
  %n = nn.dequantize %y, %s : (tensor<1x3x6x6xi32>, tensor<3x1x1xf32>) -> tensor<1x3x6x6xf32>
  func.return %n : tensor<1x3x6x6xf32>
}

func.func @packed(%x: tensor<1x4x4x5xui8>, %w: tensor<2x1x1x2x3x4xi8>, %y: tensor<4x8xui8>, %v: tensor<2x2x16x4xi8>) -> (tensor<1x4x4x6xi32>, tensor<4x30xi32>) {
  %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3, 1 by 4 of 5>, accumulator = i32} : (tensor<1x4x4x5xui8>, tensor<2x1x1x2x3x4xi8>) -> tensor<1x4x4x6xi32>
  %b = nn.matmul %y, %v {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 30, 0 by 4>, accumulator = i32} : (tensor<4x8xui8>, tensor<2x2x16x4xi8>) -> tensor<4x30xi32>
  func.return %a, %b : tensor<1x4x4x6xi32>, tensor<4x30xi32>
}

// CHECK:      func.func @codes(%x: tensor<1x2x4x4xf32>, %s: tensor<f32>, %z: tensor<2x1x1xi16>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi16>) {
// CHECK-NEXT:   %q = nn.quantize %x, %s, %z : (tensor<1x2x4x4xf32>, tensor<f32>, tensor<2x1x1xi16>) -> tensor<1x2x4x4xi16>
// CHECK-NEXT:   %n = nn.dequantize %q, %s, %z : (tensor<1x2x4x4xi16>, tensor<f32>, tensor<2x1x1xi16>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %n, %q : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi16>
// CHECK-NEXT: }

// CHECK:      func.func @sums(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xi8>, %b: tensor<3xi32>, %s: tensor<3x1x1xf32>) -> tensor<1x3x6x6xf32> {
// CHECK-NEXT:   %y = nn.conv %x, %w, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32, fill = 128 : i64} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
// CHECK-NEXT:   %n = nn.dequantize %y, %s : (tensor<1x3x6x6xi32>, tensor<3x1x1xf32>) -> tensor<1x3x6x6xf32>
// CHECK-NEXT:   func.return %n : tensor<1x3x6x6xf32>
// CHECK-NEXT: }

// CHECK:      func.func @packed(%x: tensor<1x4x4x5xui8>, %w: tensor<2x1x1x2x3x4xi8>, %y: tensor<4x8xui8>, %v: tensor<2x2x16x4xi8>) -> (tensor<1x4x4x6xi32>, tensor<4x30xi32>) {
// CHECK-NEXT:   %a = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3, 1 by 4 of 5>, accumulator = i32} : (tensor<1x4x4x5xui8>, tensor<2x1x1x2x3x4xi8>) -> tensor<1x4x4x6xi32>
// CHECK-NEXT:   %b = nn.matmul %y, %v {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 30, 0 by 4>, accumulator = i32} : (tensor<4x8xui8>, tensor<2x2x16x4xi8>) -> tensor<4x30xi32>
// CHECK-NEXT:   func.return %a, %b : tensor<1x4x4x6xi32>, tensor<4x30xi32>
// CHECK-NEXT: }
