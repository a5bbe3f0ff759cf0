// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// A reduction of no axis is an anchor all the same: a kernel has one at most.

// CHECK-LABEL: @f
// CHECK-NEXT: nn.softmax
// CHECK-NEXT: nn.reduce
// CHECK-NEXT: func.return
func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = nn.softmax %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = nn.reduce %s {kind = #nn<reduction sum>, axes = array<i64>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
