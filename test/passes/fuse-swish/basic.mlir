// RUN: autodeploy-opt %s --fuse-swish | filecheck %s

// The sigmoid may stand on either side; x may have other users.

func.func @right(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @left_and_shared(%x: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %s, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = nn.add %p, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK:      func.func @right(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %p = nn.swish %x : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left_and_shared(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %p = nn.swish %x : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %r = nn.add %p, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %r : tensor<8xf32>
// CHECK-NEXT: }
