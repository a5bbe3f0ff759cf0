// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What a packed right-hand side asks of its shape.

func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x4xf32>) {
  // expected-error@+1 {{a tensor stored as #nn.tiled<[1, 0], 1 by 4> has rank 3, found [3, 4] [tiled_c3]}}
  %0 = nn.matmul %x, %y {rhs_layout = #nn.tiled<[1, 0], 1 by 4>} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<1x4x3xf32>) {
  // expected-error@+1 {{a rhs in #nn.tiled<[1, 0], 1 by 3> is a matrix, not transposed [matmul_c2]}}
  %0 = nn.matmul %x, %y {rhs_layout = #nn.tiled<[1, 0], 1 by 3>, transpose_rhs = true} : (tensor<2x3xf32>, tensor<1x4x3xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) {
  // expected-error@+1 {{a rhs in #nn.tiled<[0, 1, 2]> is a matrix, not transposed [matmul_c2]}}
  %0 = nn.matmul %x, %y {rhs_layout = #nn.tiled<[0, 1, 2]>} : (tensor<2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x3x4xf32>) {
  // expected-error@+1 {{#nn.tiled<[1, 0], 1 by 4 of 9> has room for 8 elements in [2, 3, 4] [tiled_c5]}}
  %0 = nn.matmul %x, %y {rhs_layout = #nn.tiled<[1, 0], 1 by 4 of 9>} : (tensor<2x3xf32>, tensor<2x3x4xf32>) -> tensor<2x9xf32>
  func.return
}
