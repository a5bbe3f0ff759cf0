// RUN: not autodeploy-opt %s --apply-patterns="file=%S/Inputs/kernel-in-kernel.pdll" 2>&1 | filecheck %s

// A rule that matches inside the kernel that it makes would put kernels into kernels without end.

// CHECK:      kernel-in-kernel.pdll:7:{{[0-9]+}}: pattern @Twice: native rewrite 'fuse_into_kernel': 'nn.relu' is in a kernel, which cannot hold another one (in pass 'apply-patterns')
// CHECK-NOT:  {{.}}
func.func @f(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %z = nn.relu %y : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %z : tensor<1x3x4x4xf32>
}
