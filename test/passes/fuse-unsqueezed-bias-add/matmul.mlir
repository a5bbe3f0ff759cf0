// RUN: autodeploy-opt %s --fuse-unsqueezed-bias-add | filecheck %s

// A reshaped constant becomes the bias of a matrix product, on either side.

func.func @right(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1xf32>>
  %u = nn.reshape %c : (tensor<3x1xf32>) -> tensor<1x3xf32>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %u : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @left(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1xf32>>
  %u = nn.reshape %c : (tensor<3x1xf32>) -> tensor<3xf32>
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.add %u, %y : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

// CHECK:      func.func @right(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %0 : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %0 : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }
