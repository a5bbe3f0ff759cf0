// RUN: autodeploy-opt %s --convert-interface | filecheck %s

// An output of 64 bits that was a word or a boolean is a word, also after a movement, and of an input, too.

func.func @places(%x: tensor<2x3xf32>, %i: tensor<2x3xi64>) -> (tensor<2x1xi64>, tensor<6xi64>, tensor<3x2xi64>) {
  %a = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>
  %c = nn.cast %a : (tensor<2xi32>) -> tensor<2xi64>
  %r = nn.reshape %c : (tensor<2xi64>) -> tensor<2x1xi64>
  %l = nn.less %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %f = nn.reshape %l : (tensor<2x3xi1>) -> tensor<6xi1>
  %b = nn.cast %f : (tensor<6xi1>) -> tensor<6xi64>
  %t = nn.transpose %i {permutation = array<i64: 1, 0>} : (tensor<2x3xi64>) -> tensor<3x2xi64>
  func.return %r, %b, %t : tensor<2x1xi64>, tensor<6xi64>, tensor<3x2xi64>
}

// CHECK:      func.func @places(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>) -> (tensor<2x1xi32>, tensor<6xi32>, tensor<3x2xi32>) {
// CHECK-NEXT:   %a = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xi32>
// CHECK-NEXT:   %r = nn.reshape %a : (tensor<2xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:   %l = nn.less %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:   %f = nn.reshape %l : (tensor<2x3xi1>) -> tensor<6xi1>
// CHECK-NEXT:   %0 = nn.cast %f : (tensor<6xi1>) -> tensor<6xi32>
// CHECK-NEXT:   %t = nn.transpose %i {permutation = array<i64: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
// CHECK-NEXT:   func.return %r, %0, %t : tensor<2x1xi32>, tensor<6xi32>, tensor<3x2xi32>
