// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What the sums of Strassen's algorithm ask of the product, and of their own shape.

func.func @f(%x: tensor<5x12xf32>, %w: tensor<12x16xf32>) {
  // expected-error@+1 {{the sums of Strassen's algorithm are 7 x K/2 x N/2 in tiles, and go with a matrix that is not transposed, found tensor<12x16xf32> in None [matmul_c5]}}
  %0 = nn.matmul %x, %w {strassen = array<i64: 2, 2>} : (tensor<5x12xf32>, tensor<12x16xf32>) -> tensor<5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x12xf32>, %w: tensor<1x8x6x8xf32>) {
  // expected-error@+1 {{found tensor<1x8x6x8xf32> in #nn.tiled<[2, 0, 1], 2 by 8> [matmul_c5]}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<5x12xf32>, tensor<1x8x6x8xf32>) -> tensor<5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x12xf32>, %w: tensor<6x7x1x8xf32>) {
  // expected-error@+1 {{in #nn.tiled<[1, 0, 2], 1 by 8> [matmul_c5]}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[1, 0, 2], 1 by 8>, strassen = array<i64: 2, 2>} : (tensor<5x12xf32>, tensor<6x7x1x8xf32>) -> tensor<5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x12xf32>, %w: tensor<1x7x6x8xf32>) {
  // expected-error@+1 {{in #nn.tiled<[2, 0, 1], 2 by 8 interleaved 2> [matmul_c5]}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8 interleaved 2>, strassen = array<i64: 2, 2>} : (tensor<5x12xf32>, tensor<1x7x6x8xf32>) -> tensor<5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x5x12xf32>, %w: tensor<1x7x6x8xf32>) {
  // expected-error@+1 {{go with a matrix that is not transposed}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<2x5x12xf32>, tensor<1x7x6x8xf32>) -> tensor<2x5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<12x5xf32>, %w: tensor<1x7x6x8xf32>) {
  // expected-error@+1 {{go with a matrix that is not transposed}}
  %0 = nn.matmul %x, %w {transpose_lhs = true, rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<12x5xf32>, tensor<1x7x6x8xf32>) -> tensor<5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x10xf32>, %w: tensor<1x7x6x8xf32>) {
  // expected-error@+1 {{inner extents differ: [5, 10] times [12, 16] [matmul_c3]}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 2>} : (tensor<5x10xf32>, tensor<1x7x6x8xf32>) -> tensor<5x16xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x12xf32>, %w: tensor<1x7x6x8xf32>) {
  // expected-error@+1 {{has room for 8 elements in [1, 7, 6, 8] [tiled_c5]}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8 of 9>, strassen = array<i64: 2, 2>} : (tensor<5x12xf32>, tensor<1x7x6x8xf32>) -> tensor<5x18xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x12xf32>, %w: tensor<1x7x6x8xf32>) {
  // expected-error@+1 {{no algorithm is for parts [2, 3], only for [2, 2], [3, 3], [4, 4] [matmul_c6]}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 2, 3>} : (tensor<5x12xf32>, tensor<1x7x6x8xf32>) -> tensor<5x24xf32>
  func.return
}

// -----

func.func @f(%x: tensor<5x12xf32>, %w: tensor<1x7x3x8xf32>) {
  // expected-error@+1 {{the sums of Strassen's algorithm are 26 x K/4 x N/4 in tiles}}
  %0 = nn.matmul %x, %w {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8>, strassen = array<i64: 4, 4>} : (tensor<5x12xf32>, tensor<1x7x3x8xf32>) -> tensor<5x32xf32>
  func.return
}
