// RUN: autodeploy-opt %s --convert-interface | filecheck %s

// Places to look up and numbers that are converted stay words, also after a movement.

func.func @ids(%x: tensor<2x3xi64>, %t: tensor<9x4xf32>) -> (tensor<2x3x4xf32>, tensor<6xf32>) {
  %g = nn.gather %t, %x {axis = 0} : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
  %r = nn.reshape %x : (tensor<2x3xi64>) -> tensor<6xi64>
  %c = nn.cast %r : (tensor<6xi64>) -> tensor<6xf32>
  func.return %g, %c : tensor<2x3x4xf32>, tensor<6xf32>
}

// CHECK:      func.func @ids(%x: tensor<2x3xi32>, %t: tensor<9x4xf32>) -> (tensor<2x3x4xf32>, tensor<6xf32>) {
// CHECK-NEXT:   %g = nn.gather %t, %x {axis = 0 : i64} : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %r = nn.reshape %x : (tensor<2x3xi32>) -> tensor<6xi32>
// CHECK-NEXT:   %c = nn.cast %r : (tensor<6xi32>) -> tensor<6xf32>
// CHECK-NEXT:   func.return %g, %c : tensor<2x3x4xf32>, tensor<6xf32>
