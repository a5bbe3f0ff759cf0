// RUN: autodeploy-opt %s --form-kernels --print-debuginfo | filecheck %s

// The kernel has the name of its op.

// CHECK: nn.tanh {{.*}} loc("tanh")
// CHECK: } loc("tanh")
func.func @main(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %s = nn.tanh %x : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> loc("tanh")
  func.return %s : tensor<1x3x4x4xf32>
}
