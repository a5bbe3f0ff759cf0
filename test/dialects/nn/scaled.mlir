// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Products with codes of 8, 4 and 2 bits, as a whole and in tiles of columns.

func.func @f(%x: tensor<2x3x32xf32>, %a: tensor<2x16x5xui8>, %b: tensor<2x8x5xui8>, %c: tensor<2x2x4x4xui8>, %s: tensor<2x5xf32>, %z: tensor<2x5xui8>, %t: tensor<2x2x4xf32>, %o: tensor<ui8>) {
  %0 = nn.scaled_matmul %x, %a, %s, %z {block = 16 : i64} : (tensor<2x3x32xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, tensor<2x5xui8>) -> tensor<2x3x5xf32>
  %1 = nn.scaled_matmul %x, %b, %s, %o {block = 16 : i64} : (tensor<2x3x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x3x5xf32>
  %2 = nn.scaled_matmul %x, %c, %t, %o {block = 16 : i64, columns = 5 : i64} : (tensor<2x3x32xf32>, tensor<2x2x4x4xui8>, tensor<2x2x4xf32>, tensor<ui8>) -> tensor<2x3x5xf32>
  func.return
}

func.func @codes(%x: tensor<2x3x32xi8>, %w: tensor<2x2x2x1x4x4xui8>, %s: tensor<2x2x4xf32>, %z: tensor<ui8>, %t: tensor<2x3x2xf32>) {
  %0 = nn.scaled_matmul %x, %w, %s, %z, %t {block = 16 : i64, columns = 5 : i64} : (tensor<2x3x32xi8>, tensor<2x2x2x1x4x4xui8>, tensor<2x2x4xf32>, tensor<ui8>, tensor<2x3x2xf32>) -> tensor<2x3x5xf32>
  func.return
}

// CHECK:      %0 = nn.scaled_matmul %x, %a, %s, %z {block = 16 : i64} : (tensor<2x3x32xf32>, tensor<2x16x5xui8>, tensor<2x5xf32>, tensor<2x5xui8>) -> tensor<2x3x5xf32>
// CHECK-NEXT: %1 = nn.scaled_matmul %x, %b, %s, %o {block = 16 : i64} : (tensor<2x3x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x3x5xf32>
// CHECK-NEXT: %2 = nn.scaled_matmul %x, %c, %t, %o {block = 16 : i64, columns = 5 : i64} : (tensor<2x3x32xf32>, tensor<2x2x4x4xui8>, tensor<2x2x4xf32>, tensor<ui8>) -> tensor<2x3x5xf32>

// CHECK: %0 = nn.scaled_matmul %x, %w, %s, %z, %t {block = 16 : i64, columns = 5 : i64} : (tensor<2x3x32xi8>, tensor<2x2x2x1x4x4xui8>, tensor<2x2x4xf32>, tensor<ui8>, tensor<2x3x2xf32>) -> tensor<2x3x5xf32>
