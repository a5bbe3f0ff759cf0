// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A slope for all elements, a channel, or each element.

func.func @f(%x: tensor<2x3x4xf32>, %i: tensor<3xi32>, %s: tensor<f32>, %c: tensor<3x1xf32>) {
  %0 = nn.prelu %x, %s : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
  %1 = nn.prelu %x, %c : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
  %2 = nn.prelu %i, %i : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>, %i: tensor<3xi32>, %s: tensor<f32>, %c: tensor<3x1xf32>) {
// CHECK-NEXT:   %0 = nn.prelu %x, %s : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %1 = nn.prelu %x, %c : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %2 = nn.prelu %i, %i : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
