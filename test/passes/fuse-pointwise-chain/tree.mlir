// RUN: autodeploy-opt %s --fuse-pointwise-chain | filecheck %s

// Both operands of an op join it, kernels are taken apart.

func.func @tree(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.tanh %z : (tensor<8xf32>) -> tensor<8xf32>
  %c = nn.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %d = nn.mul %c, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %d : tensor<8xf32>
}

// CHECK:      func.func @tree(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %d = nn.kernel(%z, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   ^bb0(%z_1: tensor<8xf32>, %x_1: tensor<8xf32>):
// CHECK-NEXT:     %b = nn.tanh %z_1 : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %a = nn.exp %x_1 : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %c = nn.add %a, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %d_1 = nn.mul %c, %x_1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     nn.yield %d_1 : tensor<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : tensor<8xf32>
// CHECK-NEXT: }
