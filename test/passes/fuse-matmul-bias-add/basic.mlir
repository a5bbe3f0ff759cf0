// RUN: autodeploy-opt %s --fuse-matmul-bias-add | filecheck %s

// The biases are added up, with the shape of the wider one.

func.func @right(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %d = nn.constant #nn.dense<[10.0, 20.0, 30.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3xf32>>
  %y = nn.matmul %a, %b, %d : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %s = nn.add %y, %c : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @left(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %d = nn.constant #nn.dense<0.5 : tensor<f32>>
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.matmul %a, %b, %d : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %s = nn.add %c, %y : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

// CHECK:      func.func @right(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[11.0, 22.0, 33.0] : tensor<1x3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %0 : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.5, 2.5, 3.5] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.matmul %a, %b, %0 : (tensor<2x4xf32>, tensor<4x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }
