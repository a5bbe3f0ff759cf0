// RUN: autodeploy-opt %s --fuse-anchor-epilogue --print-debuginfo | filecheck %s

// Ops keep their names inside; the kernel has those of all.

// CHECK:      nn.conv {{.*}} loc("conv")
// CHECK-NEXT: nn.tanh {{.*}} loc("tanh")
// CHECK-NEXT: nn.exp {{.*}} loc("exp")
// CHECK-NEXT: nn.yield
// CHECK-NEXT: } loc(fused["conv", "tanh", "exp"])
func.func @main(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> loc("conv")
  %s = nn.tanh %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> loc("tanh")
  %t = nn.exp %s : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> loc("exp")
  func.return %t : tensor<1x3x4x4xf32>
}
