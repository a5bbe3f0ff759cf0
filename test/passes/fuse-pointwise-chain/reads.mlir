// RUN: autodeploy-opt %s --fuse-pointwise-chain | filecheck %s

// One element of a kernel reads inputs at most 16384 times, what is used twice counted twice:
// a tanh reads its operand 45 times, a swish 17 times, a sigmoid 16 times.

// CHECK-LABEL: func.func @fits(
func.func @fits(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      nn.kernel(%x)
  // CHECK-NOT:  nn.kernel
  %a = nn.tanh %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.swish %a : (tensor<8xf32>) -> tensor<8xf32>
  %c = nn.sigmoid %b : (tensor<8xf32>) -> tensor<8xf32>
  func.return %c : tensor<8xf32>
}

// CHECK-LABEL: func.func @too_often(
func.func @too_often(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      %c = nn.kernel(%x)
  // CHECK:      nn.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: %d = nn.add %c, %c
  %a = nn.tanh %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.swish %a : (tensor<8xf32>) -> tensor<8xf32>
  %c = nn.sigmoid %b : (tensor<8xf32>) -> tensor<8xf32>
  %d = nn.add %c, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %d : tensor<8xf32>
}

// The first three are cut off, the others make the next kernel.
// CHECK-LABEL: func.func @cut(
func.func @cut(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      %c = nn.kernel(%x)
  // CHECK:      %e = nn.kernel(%c)
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT:   nn.tanh
  // CHECK-NEXT:   nn.tanh
  // CHECK-NEXT:   nn.yield
  %a = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.swish %a : (tensor<8xf32>) -> tensor<8xf32>
  %c = nn.tanh %b : (tensor<8xf32>) -> tensor<8xf32>
  %d = nn.tanh %c : (tensor<8xf32>) -> tensor<8xf32>
  %e = nn.tanh %d : (tensor<8xf32>) -> tensor<8xf32>
  func.return %e : tensor<8xf32>
}

// Both operands count.
// CHECK-LABEL: func.func @two_branches(
func.func @two_branches(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK:      %r = nn.kernel(%z)
  // CHECK:      %s = nn.kernel(%x, %r)
  // CHECK-NOT:  nn.kernel
  %a = nn.tanh %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.swish %a : (tensor<8xf32>) -> tensor<8xf32>
  %c = nn.sigmoid %b : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.tanh %z : (tensor<8xf32>) -> tensor<8xf32>
  %q = nn.swish %p : (tensor<8xf32>) -> tensor<8xf32>
  %r = nn.sigmoid %q : (tensor<8xf32>) -> tensor<8xf32>
  %s = nn.sub %c, %r : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}
