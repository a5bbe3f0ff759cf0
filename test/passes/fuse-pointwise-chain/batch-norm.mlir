// RUN: autodeploy-opt %s --fuse-pointwise-chain | filecheck %s

// A batch normalisation joins; its parameters stay operands.

func.func @norm(%x: tensor<2x3xf32>, %p: tensor<3xf32>) -> tensor<2x3xf32> {
  %a = nn.tanh %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %a, %p, %p, %p, %p {epsilon = 1.0e-05 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %r = nn.relu %n : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

// CHECK:      func.func @norm(%x: tensor<2x3xf32>, %p: tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %r = nn.kernel(%x, %p) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<2x3xf32>, %p_1: tensor<3xf32>):
// CHECK-NEXT:     %a = nn.tanh %x_1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %n = nn.batch_norm %a, %p_1, %p_1, %p_1, %p_1 {epsilon = 1.000000e-05 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %r_1 = nn.relu %n : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     nn.yield %r_1 : tensor<2x3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %r : tensor<2x3xf32>
// CHECK-NEXT: }
