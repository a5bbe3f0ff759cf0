// RUN: autodeploy-opt %s --convert-interface | filecheck %s

// A pad by a number that 32 bits hold writes words; one by another number does not.

func.func @pads(%x: tensor<2xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %n = nn.pad %x {pads = array<i64: 1, 1>, value = -2147483648.0 : f64} : (tensor<2xi64>) -> tensor<4xi64>
  %w = nn.pad %x {pads = array<i64: 1, 1>, value = 2147483648.0 : f64} : (tensor<2xi64>) -> tensor<4xi64>
  func.return %n, %w : tensor<4xi64>, tensor<4xi64>
}

// CHECK:      func.func @pads(%x: tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi64>) {
// CHECK-NEXT:   %x_1 = nn.cast %x : (tensor<2xi32>) -> tensor<2xi64>
// CHECK-NEXT:   %n = nn.pad %x {pads = array<i64: 1, 1>, value = 0xC1E0000000000000 : f64} : (tensor<2xi32>) -> tensor<4xi32>
// CHECK-NEXT:   %w = nn.pad %x_1 {pads = array<i64: 1, 1>, value = 0x41E0000000000000 : f64} : (tensor<2xi64>) -> tensor<4xi64>
// CHECK-NEXT:   func.return %n, %w : tensor<4xi32>, tensor<4xi64>
