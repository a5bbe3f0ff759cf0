// RUN: autodeploy-opt %s --use-integer-product | filecheck %s

// The bias has the products of the zero point.

func.func @columns(%x: tensor<4x3xui8>) -> tensor<4x2xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25] : tensor<2xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2xi8>, tensor<2xf32>, tensor<i8>) -> tensor<3x2xf32>
  %y = nn.matmul %xd, %wd : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

func.func @transposed(%x: tensor<4x3xui8>) -> tensor<4x2xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<2x3xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<4x3xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<2x3xi8>, tensor<2x1xf32>, tensor<i8>) -> tensor<2x3xf32>
  %y = nn.matmul %xd, %wd {transpose_rhs = true} : (tensor<4x3xf32>, tensor<2x3xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// CHECK:      func.func @columns(%x: tensor<4x3xui8>) -> tensor<4x2xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-27, -36] : tensor<2xi32>>
// CHECK-NEXT:   %2 = nn.matmul %x, %0, %1 {accumulator = i32} : (tensor<4x3xui8>, tensor<3x2xi8>, tensor<2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0.25, 0.125] : tensor<2xf32>>
// CHECK-NEXT:   %y = nn.dequantize %2, %3 : (tensor<4x2xi32>, tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2xf32>
// CHECK-NEXT: }

// CHECK:      func.func @transposed(%x: tensor<4x3xui8>) -> tensor<4x2xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<2x3xi8>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-18, -45] : tensor<2xi32>>
// CHECK-NEXT:   %2 = nn.matmul %x, %0, %1 {transpose_rhs = true, accumulator = i32} : (tensor<4x3xui8>, tensor<2x3xi8>, tensor<2xi32>) -> tensor<4x2xi32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0.25, 0.125] : tensor<2xf32>>
// CHECK-NEXT:   %y = nn.dequantize %2, %3 : (tensor<4x2xi32>, tensor<2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2xf32>
// CHECK-NEXT: }
