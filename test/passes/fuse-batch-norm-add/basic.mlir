// RUN: autodeploy-opt %s --fuse-batch-norm-add | filecheck %s

// The shift grows; the scale need not be a constant.

func.func @right(%x: tensor<1x3x4x4xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @left(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<2.0 : tensor<f32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %c, %n : (tensor<f32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

// CHECK:      func.func @right(%x: tensor<1x3x4x4xf32>, %scale: tensor<3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[3.0, 5.0, 7.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.batch_norm %x, %scale, %0, %mean, %var {epsilon = 0.000000e+00 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[3.0, 4.0, 5.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.batch_norm %x, %scale, %0, %mean, %var {epsilon = 0.000000e+00 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }
