// RUN: autodeploy-opt %s --fuse-fold-prologue | filecheck %s

// What is folded is computed in the kernel of the fold: two ops, one after the other, of two images.

func.func @f(%x: tensor<4x9x33xf32>, %z: tensor<4x9x33xf32>) -> tensor<4x33xf32> {
  %d = nn.sub %x, %z : (tensor<4x9x33xf32>, tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  %s = nn.mul %d, %d : (tensor<4x9x33xf32>, tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  %y = nn.reduce %s {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<4x9x33xf32>) -> tensor<4x33xf32>
  func.return %y : tensor<4x33xf32>
}

// CHECK:      %y = nn.kernel(%x, %z)
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   %d = nn.sub
// CHECK-NEXT:   %s = nn.mul %d, %d
// CHECK-NEXT:   nn.reduce %s
// CHECK-NEXT:   nn.yield
// CHECK-NEXT: }
// CHECK-NEXT: func.return
