// RUN: autodeploy-opt %s --fuse-fold-prologue | filecheck %s

// An exponential takes many instructions.

// CHECK-LABEL: @slow
// CHECK-NOT:   nn.kernel
func.func @slow(%x: tensor<4x9x33xf32>, %z: tensor<4x9x33xf32>) -> tensor<4x33xf32> {
  %e = nn.exp %x : (tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  %y = nn.reduce %e {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<4x9x33xf32>) -> tensor<4x33xf32>
  func.return %y : tensor<4x33xf32>
}

// The sum has another reader, and to compute it again reads two images in place of one.

// CHECK-LABEL: @two_to_read
// CHECK-NOT:   nn.kernel
func.func @two_to_read(%x: tensor<4x9x33xf32>, %z: tensor<4x9x33xf32>) -> (tensor<4x33xf32>, tensor<4x9x33xf32>) {
  %s = nn.add %x, %z : (tensor<4x9x33xf32>, tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  %y = nn.reduce %s {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<4x9x33xf32>) -> tensor<4x33xf32>
  %r = nn.exp %s : (tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  func.return %y, %r : tensor<4x33xf32>, tensor<4x9x33xf32>
}

// A transpose computes nothing.

// CHECK-LABEL: @moved
// CHECK-NOT:   nn.kernel
func.func @moved(%w: tensor<9x4x33xf32>) -> tensor<4x33xf32> {
  %t = nn.transpose %w {permutation = array<i64: 1, 0, 2>} : (tensor<9x4x33xf32>) -> tensor<4x9x33xf32>
  %y = nn.reduce %t {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<4x9x33xf32>) -> tensor<4x33xf32>
  func.return %y : tensor<4x33xf32>
}

// A softmax reads each element several times.

// CHECK-LABEL: @softmax
// CHECK-NOT:   nn.kernel
func.func @softmax(%x: tensor<4x9x33xf32>, %z: tensor<4x9x33xf32>) -> tensor<4x9x33xf32> {
  %s = nn.relu %x : (tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  %y = nn.softmax %s {axis = 1 : i64} : (tensor<4x9x33xf32>) -> tensor<4x9x33xf32>
  func.return %y : tensor<4x9x33xf32>
}
