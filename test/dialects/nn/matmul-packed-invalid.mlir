// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What a packed right-hand side asks of its shape.

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{a packed rhs has rank 3 and is not transposed, found [3, 4] [matmul_c2]}}
  %0 = nn.matmul %x, %y {packed_rhs = true} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x4x3xf32>) {
  // expected-error@+1 {{a packed rhs has rank 3 and is not transposed, found [1, 4, 3] [matmul_c2]}}
  %0 = nn.matmul %x, %y {packed_rhs = true, transpose_rhs = true} : (tensor<2x3xf32>, tensor<1x4x3xf32>) -> tensor<2x4xf32>
  func.return
}
