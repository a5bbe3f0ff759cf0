// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// What follows an anchor counts as a chain does: one element reads at most 16384 times.

// CHECK-LABEL: func.func @too_often(
func.func @too_often(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // CHECK:      %c = nn.kernel(%x)
  // CHECK:      nn.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: %d = nn.add %c, %c
  %y = nn.softmax %x {axis = 1 : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = nn.tanh %y : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %b = nn.swish %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = nn.sigmoid %b : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %d = nn.add %c, %c : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %d : tensor<4x8xf32>
}
