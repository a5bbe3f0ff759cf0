// RUN: xdsl-opt %s -p simplify-nn | filecheck %s

// Stock xdsl-opt sees the dialects and passes of autodeploy.

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.exp %x : (tensor<2xf32>) -> tensor<2xf32>
  func.return %x : tensor<2xf32>
}

// CHECK:     func.func @f
// CHECK-NOT: nn.exp
