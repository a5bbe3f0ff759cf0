// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Any number of operands, from the left to the right.

// CHECK: func.func @main(%a: tensor<2x1xf32>, %b: tensor<3xf32>, %c: tensor<f32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %0 = nn.add %a, %b : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = nn.add %0, %c : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: %2 = nn.constant #nn.dense<3.0 : tensor<f32>>
// CHECK-NEXT: %y = nn.div %1, %2 : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %y : tensor<2x3xf32>
func.func @main(%a: tensor<2x1xf32>, %b: tensor<3xf32>, %c: tensor<f32>) -> tensor<2x3xf32> {
  %y = "onnx.Mean"(%a, %b, %c) : (tensor<2x1xf32>, tensor<3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %z = "onnx.Max"(%y) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %z : tensor<2x3xf32>
}
