// RUN: autodeploy-opt %s --fuse-batch-norm-mul | filecheck %s

// Scale and shift are multiplied; mean and variance need not be constants.

func.func @right(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %n, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @left(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<2.0 : tensor<f32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.mul %c, %n : (tensor<f32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @last(%x: tensor<1x4x4x3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x4x4x3xf32> {
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %c = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %n = nn.batch_norm %x, %scale, %shift, %mean, %var {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  %s = nn.mul %n, %c : (tensor<1x4x4x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  func.return %s : tensor<1x4x4x3xf32>
}

// CHECK:      func.func @right(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[4.0, 9.0, 16.0] : tensor<3xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[2.0, 6.0, 12.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.batch_norm %x, %0, %1, %mean, %var {epsilon = 0.000000e+00 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @left(%x: tensor<1x3x4x4xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[4.0, 6.0, 8.0] : tensor<3xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[2.0, 4.0, 6.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.batch_norm %x, %0, %1, %mean, %var {epsilon = 0.000000e+00 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x3x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @last(%x: tensor<1x4x4x3xf32>, %mean: tensor<3xf32>, %var: tensor<3xf32>) -> tensor<1x4x4x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[4.0, 9.0, 16.0] : tensor<3xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[2.0, 6.0, 12.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.batch_norm %x, %0, %1, %mean, %var {epsilon = 0.000000e+00 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
// CHECK-NEXT:   func.return %s : tensor<1x4x4x3xf32>
// CHECK-NEXT: }
