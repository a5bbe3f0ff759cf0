// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// What one operand alone has is summed at once; two operands make one matrix product.

func.func @attention(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32> {
  %y = "onnx.Einsum"(%q, %k) <{equation = "bqhd,bkhd->bhqk"}> : (tensor<2x5x3x4xf32>, tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32>
  func.return %y : tensor<2x3x5x6xf32>
}

func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<4x2xf32> {
  %y = "onnx.Einsum"(%x) <{equation = "abc->ca"}> : (tensor<2x3x4xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// CHECK:      func.func @attention(%q: tensor<2x5x3x4xf32>, %k: tensor<2x6x3x4xf32>) -> tensor<2x3x5x6xf32> {
// CHECK-NEXT:   %0 = nn.transpose %q {permutation = array<i64: 0, 2, 1, 3>} : (tensor<2x5x3x4xf32>) -> tensor<2x3x5x4xf32>
// CHECK-NEXT:   %1 = nn.transpose %k {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x6x3x4xf32>) -> tensor<2x3x4x6xf32>
// CHECK-NEXT:   %y = nn.matmul %0, %1 : (tensor<2x3x5x4xf32>, tensor<2x3x4x6xf32>) -> tensor<2x3x5x6xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x5x6xf32>
// CHECK-NEXT: }

// CHECK:      func.func @sum(%x: tensor<2x3x4xf32>) -> tensor<4x2xf32> {
// CHECK-NEXT:   %0 = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   %y = nn.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2xf32>
// CHECK-NEXT: }
