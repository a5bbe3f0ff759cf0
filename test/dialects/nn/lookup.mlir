// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Lookups: indices of any shape and integer type, and rows that are stored in tiles.

func.func @f(%x: tensor<4x5x6xf32>, %i: tensor<2x3xi64>, %j: tensor<i32>, %k: tensor<4x2x6xui8>, %t: tensor<3x7x8xf32>) {
  %0 = nn.gather %x, %i {axis = 1 : i64} : (tensor<4x5x6xf32>, tensor<2x3xi64>) -> tensor<4x2x3x6xf32>
  %1 = nn.gather %x, %j {axis = 2 : i64} : (tensor<4x5x6xf32>, tensor<i32>) -> tensor<4x5xf32>
  %2 = nn.gather_elements %x, %k {axis = 1 : i64} : (tensor<4x5x6xf32>, tensor<4x2x6xui8>) -> tensor<4x2x6xf32>
  %3 = nn.gather %t, %i {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 8 of 20>} : (tensor<3x7x8xf32>, tensor<2x3xi64>) -> tensor<2x3x7xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<4x5x6xf32>, %i: tensor<2x3xi64>, %j: tensor<i32>, %k: tensor<4x2x6xui8>, %t: tensor<3x7x8xf32>) {
// CHECK-NEXT:   %0 = nn.gather %x, %i {axis = 1 : i64} : (tensor<4x5x6xf32>, tensor<2x3xi64>) -> tensor<4x2x3x6xf32>
// CHECK-NEXT:   %1 = nn.gather %x, %j {axis = 2 : i64} : (tensor<4x5x6xf32>, tensor<i32>) -> tensor<4x5xf32>
// CHECK-NEXT:   %2 = nn.gather_elements %x, %k {axis = 1 : i64} : (tensor<4x5x6xf32>, tensor<4x2x6xui8>) -> tensor<4x2x6xf32>
// CHECK-NEXT:   %3 = nn.gather %t, %i {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 8 of 20>} : (tensor<3x7x8xf32>, tensor<2x3xi64>) -> tensor<2x3x7xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
