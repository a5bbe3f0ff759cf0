// RUN: autodeploy-opt %s --fuse-pointwise-chain | filecheck %s

// Element types may change; a narrower operand that is computed alone stays outside.

func.func @compare(%x: tensor<4x8xf32>, %z: tensor<8xf32>) -> tensor<4x8xf32> {
  %n = nn.neg %z : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.less %x, %n : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
  %c = nn.where %m, %x, %n : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  func.return %c : tensor<4x8xf32>
}

// CHECK:      func.func @compare(%x: tensor<4x8xf32>, %z: tensor<8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:   %n = nn.neg %z : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %c = nn.kernel(%x, %n) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<4x8xf32>, %n_1: tensor<8xf32>):
// CHECK-NEXT:     %m = nn.less %x_1, %n_1 : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xi1>
// CHECK-NEXT:     %c_1 = nn.where %m, %x_1, %n_1 : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK-NEXT:     nn.yield %c_1 : tensor<4x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %c : tensor<4x8xf32>
// CHECK-NEXT: }
