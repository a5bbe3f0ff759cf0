// RUN: autodeploy-opt %s --use-integer-sum | filecheck %s

// Zero points go into the bias; the sum of each column is multiplied by one that only a run knows.
// A convolution sums distances from such a point.

func.func @conv(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x6x6xi32> {
  %z = nn.constant #nn.dense<3 : tensor<i32>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %bias = nn.constant #nn.dense<[10, 20, 30] : tensor<3xi32>>
  %a = nn.cast %x : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi32>
  %d = nn.sub %a, %z : (tensor<1x2x4x4xi32>, tensor<i32>) -> tensor<1x2x4x4xi32>
  %b = nn.cast %w : (tensor<3x2x1x1xi8>) -> tensor<3x2x1x1xi32>
  %e = nn.sub %b, %wz : (tensor<3x2x1x1xi32>, tensor<i32>) -> tensor<3x2x1x1xi32>
  %y = nn.conv %d, %e, %bias {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xi32>, tensor<3x2x1x1xi32>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
  func.return %y : tensor<1x3x6x6xi32>
}

func.func @product(%x: tensor<4x3xui8>) -> tensor<4x2xi32> {
  %z = nn.constant #nn.dense<3 : tensor<i32>>
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %a = nn.cast %x : (tensor<4x3xui8>) -> tensor<4x3xi32>
  %d = nn.sub %a, %z : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  %b = nn.cast %w : (tensor<3x2xi8>) -> tensor<3x2xi32>
  %e = nn.sub %b, %wz : (tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  %y = nn.matmul %d, %e : (tensor<4x3xi32>, tensor<3x2xi32>) -> tensor<4x2xi32>
  func.return %y : tensor<4x2xi32>
}

func.func @zero_of_run(%x: tensor<4x3xui8>, %z: tensor<i32>) -> tensor<4x2xi32> {
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %a = nn.cast %x : (tensor<4x3xui8>) -> tensor<4x3xi32>
  %d = nn.sub %a, %z : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  %b = nn.cast %w : (tensor<3x2xi8>) -> tensor<3x2xi32>
  %e = nn.sub %b, %wz : (tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  %y = nn.matmul %d, %e : (tensor<4x3xi32>, tensor<3x2xi32>) -> tensor<4x2xi32>
  func.return %y : tensor<4x2xi32>
}

func.func @zeros_of_rows(%x: tensor<4x3xui8>, %z: tensor<4x1xi32>) -> tensor<4x2xi32> {
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %a = nn.cast %x : (tensor<4x3xui8>) -> tensor<4x3xi32>
  %d = nn.sub %a, %z : (tensor<4x3xi32>, tensor<4x1xi32>) -> tensor<4x3xi32>
  %b = nn.cast %w : (tensor<3x2xi8>) -> tensor<3x2xi32>
  %e = nn.sub %b, %wz : (tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  %y = nn.matmul %d, %e : (tensor<4x3xi32>, tensor<3x2xi32>) -> tensor<4x2xi32>
  func.return %y : tensor<4x2xi32>
}

func.func @conv_of_run(%x: tensor<1x2x4x4xui8>, %z: tensor<ui8>) -> tensor<1x3x6x6xi32> {
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %wz = nn.constant #nn.dense<[0, 1, 2] : tensor<3x1x1x1xi32>>
  %a = nn.cast %x : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi32>
  %p = nn.cast %z : (tensor<ui8>) -> tensor<i32>
  %d = nn.sub %a, %p : (tensor<1x2x4x4xi32>, tensor<i32>) -> tensor<1x2x4x4xi32>
  %b = nn.cast %w : (tensor<3x2x1x1xi8>) -> tensor<3x2x1x1xi32>
  %e = nn.sub %b, %wz : (tensor<3x2x1x1xi32>, tensor<3x1x1x1xi32>) -> tensor<3x2x1x1xi32>
  %y = nn.conv %d, %e {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xi32>, tensor<3x2x1x1xi32>) -> tensor<1x3x6x6xi32>
  func.return %y : tensor<1x3x6x6xi32>
}

// CHECK:      func.func @conv(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x6x6xi32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[13, -1, 27] : tensor<3xi32>>
// CHECK-NEXT:   %y = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32, fill = 3 : i64} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
// CHECK-NEXT:   func.return %y : tensor<1x3x6x6xi32>
// CHECK-NEXT: }

// CHECK:      func.func @product(%x: tensor<4x3xui8>) -> tensor<4x2xi32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-27, -36] : tensor<2xi32>>
// CHECK-NEXT:   %y = nn.matmul %x, %0, %1 {accumulator = i32} : (tensor<4x3xui8>, tensor<3x2xi8>, tensor<2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT:   func.return %y : tensor<4x2xi32>
// CHECK-NEXT: }

// CHECK:      func.func @zero_of_run(%x: tensor<4x3xui8>, %z: tensor<i32>) -> tensor<4x2xi32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
// CHECK-NEXT:   %1 = nn.matmul %x, %0 {accumulator = i32} : (tensor<4x3xui8>, tensor<3x2xi8>) -> tensor<4x2xi32>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<[9, 12] : tensor<2xi32>>
// CHECK-NEXT:   %3 = nn.mul %z, %2 : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
// CHECK-NEXT:   %y = nn.sub %1, %3 : (tensor<4x2xi32>, tensor<2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT:   func.return %y : tensor<4x2xi32>
// CHECK-NEXT: }

// CHECK:      func.func @zeros_of_rows(%x: tensor<4x3xui8>, %z: tensor<4x1xi32>) -> tensor<4x2xi32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
// CHECK-NEXT:   %1 = nn.matmul %x, %0 {accumulator = i32} : (tensor<4x3xui8>, tensor<3x2xi8>) -> tensor<4x2xi32>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<[9, 12] : tensor<2xi32>>
// CHECK-NEXT:   %3 = nn.mul %z, %2 : (tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT:   %y = nn.sub %1, %3 : (tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT:   func.return %y : tensor<4x2xi32>
// CHECK-NEXT: }

// CHECK:      func.func @conv_of_run(%x: tensor<1x2x4x4xui8>, %z: tensor<ui8>) -> tensor<1x3x6x6xi32> {
// CHECK-NEXT:   %0 = nn.cast %z : (tensor<ui8>) -> tensor<i16>
// CHECK-NEXT:   %1 = nn.cast %x : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi16>
// CHECK-NEXT:   %2 = nn.sub %1, %0 : (tensor<1x2x4x4xi16>, tensor<i16>) -> tensor<1x2x4x4xi16>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[1, -2, 2, 3, -7, 4] : tensor<3x2x1x1xi8>>
// CHECK-NEXT:   %y = nn.conv %2, %3 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32} : (tensor<1x2x4x4xi16>, tensor<3x2x1x1xi8>) -> tensor<1x3x6x6xi32>
// CHECK-NEXT:   func.return %y : tensor<1x3x6x6xi32>
// CHECK-NEXT: }
