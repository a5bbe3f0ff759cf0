// RUN: autodeploy-opt %s --fuse-swish | filecheck %s

// What is multiplied by a sigmoid of something else may stand on either side.

func.func @right(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %s = nn.sigmoid %y : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @left_and_of_x(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = nn.constant #nn.dense<1.702 : tensor<f32>>
  %y = nn.mul %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %s = nn.sigmoid %y : (tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %s, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

// CHECK:      func.func @right(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %p = nn.gate %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left_and_of_x(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<1.702 : tensor<f32>>
// CHECK-NEXT:   %y = nn.mul %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT:   %p = nn.gate %x, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }
