// RUN: autodeploy-opt --convert-onnx-to-nn --dce %s | filecheck %s

// The products with the inputs of all steps are one product. The loop has the rest.

func.func @main(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> tensor<5x1x2x4xf32> {
  %y = "onnx.RNN"(%x, %w, %r) <{direction = "reverse", hidden_size = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> tensor<5x1x2x4xf32>
  func.return %y : tensor<5x1x2x4xf32>
}

// CHECK:      nn.matmul %{{.*}}, %{{.*}} : (tensor<5x2x3xf32>, tensor<3x4xf32>) -> tensor<5x2x4xf32>
// CHECK:      nn.for steps 5 from (%{{.*}}) over (%{{.*}}) with (%{{.*}}) {backwards = array<i64: 1, 1>} : (tensor<2x4xf32>), (tensor<5x2x4xf32>), (tensor<4x4xf32>) -> (tensor<2x4xf32>, tensor<5x2x4xf32>) {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<i64>, %[[H:[0-9]+]]: tensor<2x4xf32>, %[[ROW:[0-9]+]]: tensor<2x4xf32>, %[[R:[0-9]+]]: tensor<4x4xf32>):
// CHECK-NEXT:   %[[P:[0-9]+]] = nn.matmul %[[H]], %[[R]] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   %[[S:[0-9]+]] = nn.add %[[P]], %[[ROW]]
// CHECK-NEXT:   %[[T:[0-9]+]] = nn.tanh %[[S]]
// CHECK-NEXT:   nn.yield %[[T]], %[[T]] : tensor<2x4xf32>, tensor<2x4xf32>
