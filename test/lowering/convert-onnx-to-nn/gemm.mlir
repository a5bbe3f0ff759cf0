// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// A bias that is added as it is goes into the product; factors stand beside it.

// CHECK: func.func @fused(%a: tensor<5x3xf32>, %b: tensor<4x5xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
// CHECK-NEXT: %y = nn.matmul %a, %b, %c {transpose_lhs = true, transpose_rhs = true} : (tensor<5x3xf32>, tensor<4x5xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: func.return %y : tensor<3x4xf32>
func.func @fused(%a: tensor<5x3xf32>, %b: tensor<4x5xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = "onnx.Gemm"(%a, %b, %c) <{transA = 1 : i64, transB = 1 : i64}> : (tensor<5x3xf32>, tensor<4x5xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// CHECK: func.func @alpha(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
// CHECK-NEXT: %0 = nn.matmul %a, %b : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %1 = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT: %2 = nn.mul %0, %1 : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>
// CHECK-NEXT: %y = nn.add %2, %c : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: func.return %y : tensor<3x4xf32>
func.func @alpha(%a: tensor<3x5xf32>, %b: tensor<5x4xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = "onnx.Gemm"(%a, %b, %c) <{alpha = 0.5 : f32}> : (tensor<3x5xf32>, tensor<5x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// CHECK: func.func @beta_of_a_constant(%a: tensor<3x5xf32>, %b: tensor<5x2xf32>) -> tensor<3x2xf32> {
// CHECK-NEXT: %0 = nn.constant #nn.dense<[0.5, -1.0] : tensor<2xf32>>
// CHECK-NEXT: %y = nn.matmul %a, %b, %0 : (tensor<3x5xf32>, tensor<5x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: func.return %y : tensor<3x2xf32>
func.func @beta_of_a_constant(%a: tensor<3x5xf32>, %b: tensor<5x2xf32>) -> tensor<3x2xf32> {
  %c = nn.constant #nn.dense<[1.0, -2.0] : tensor<2xf32>>
  %y = "onnx.Gemm"(%a, %b, %c) <{beta = 0.5 : f32}> : (tensor<3x5xf32>, tensor<5x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}
