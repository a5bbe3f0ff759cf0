// RUN: autodeploy-opt %s --fuse-matmul-batch-norm | filecheck %s

// The columns of the right-hand side are scaled, its rows where it is transposed.

func.func @plain(%a: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

func.func @transposed_with_bias(%a: tensor<2x2xf32>) -> tensor<2x3xf32> {
  %b = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2xf32>>
  %c = nn.constant #nn.dense<[10.0, 20.0, 30.0] : tensor<3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.matmul %a, %b, %c {transpose_rhs = true} : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %n : tensor<2x3xf32>
}

// CHECK:      func.func @plain(%a: tensor<2x2xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 3.0, 24.0, 8.0, 7.5, 48.0] : tensor<2x3xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-1.0, 2.0, 11.0] : tensor<3xf32>>
// CHECK-NEXT:   %n = nn.matmul %a, %0, %1 : (tensor<2x2xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %n : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @transposed_with_bias(%a: tensor<2x2xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 4.0, 4.5, 6.0, 40.0, 48.0] : tensor<3x2xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[19.0, 32.0, 251.0] : tensor<3xf32>>
// CHECK-NEXT:   %n = nn.matmul %a, %0, %1 {transpose_rhs = true} : (tensor<2x2xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %n : tensor<2x3xf32>
// CHECK-NEXT: }
