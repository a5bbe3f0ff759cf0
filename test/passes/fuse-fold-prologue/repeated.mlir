// RUN: autodeploy-opt %s --fuse-fold-prologue | filecheck %s

// The difference has another reader, for which it stays. The kernel of the fold computes it again: it reads as much.

func.func @f(%x: tensor<4x9x33xf32>, %m: tensor<33xf32>) -> (tensor<4x33xf32>, tensor<4x9x33xf32>) {
  %d = nn.sub %x, %m : (tensor<4x9x33xf32>, tensor<33xf32>) -> tensor<4x9x33xf32>
  %y = nn.reduce %d {kind = #nn<reduction max>, axes = array<i64: 1>} : (tensor<4x9x33xf32>) -> tensor<4x33xf32>
  %r = nn.exp %d : (tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  func.return %y, %r : tensor<4x33xf32>, tensor<4x9x33xf32>
}

// CHECK:      %d = nn.sub %x, %m
// CHECK-NEXT: %y = nn.kernel(%x, %m)
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   nn.sub
// CHECK-NEXT:   nn.reduce
// CHECK:      %r = nn.exp %d
