// RUN: autodeploy-opt %s --fuse-conv-add --print-debuginfo | filecheck %s

// The new convolution has the names of both ops, the new constant that of the old constant.

// CHECK: nn.constant #nn.dense<0.5 : tensor<3xf32>> loc("bias")
// CHECK: nn.conv {{.*}} loc(fused["conv", "add"])
func.func @main(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<3x1x1xf32>> loc("bias")
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> loc("conv")
  %s = nn.add %y, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32> loc("add")
  func.return %s : tensor<1x3x4x4xf32>
}
