// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A window fits the extents of all numbers, or the op is refused.
func.func @f(%x: tensor<1x1x8xf32, #nn.extents<[1, 1, d0], "n", 1 to 8>>) {
  // expected-error@+1 {{-2..5 < 0 holds for 1, not for 3}}
  %0 = nn.max_pool %x {window = array<i64: 3>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x1x8xf32, #nn.extents<[1, 1, d0], "n", 1 to 8>>) -> tensor<1x1x6xf32, #nn.extents<[1, 1, d0 - 2], "n", 1 to 8>>
  func.return
}

// -----

func.func @f(%x: tensor<1x1x8xf32, #nn.extents<[1, 1, d0], "n", 1 to 8>>) {
  // expected-error@+1 {{-1..6 < 0 holds for 1, not for 2}}
  %0 = nn.max_pool %x {window = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, ceil_mode = true} : (tensor<1x1x8xf32, #nn.extents<[1, 1, d0], "n", 1 to 8>>) -> tensor<1x1x7xf32, #nn.extents<[1, 1, d0 - 1], "n", 1 to 8>>
  func.return
}

// -----

func.func @f(%x: tensor<1x1x8xf32, #nn.extents<[1, 1, d0], "n", 1 to 8>>) {
  // expected-error@+1 {{-1..6 < 0 holds for 1, not for 2}}
  %0 = nn.max_pool %x {window = array<i64: 3>, strides = array<i64: 3>, pads = array<i64: 0, 1>, dilations = array<i64: 1>} : (tensor<1x1x8xf32, #nn.extents<[1, 1, d0], "n", 1 to 8>>) -> tensor<1x1x3xf32, #nn.extents<[1, 1, (d0 + 1) / 3], "n", 1 to 8>>
  func.return
}

// -----

// Operands have the same extents for all numbers: not only for the largest one, nor for the ends of the range.
func.func @f(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, %y: tensor<8x6xf32>) {
  // expected-error@+1 {{1..8 == 8 holds for 8, not for 1}}
  %0 = nn.add %x, %y : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<8x6xf32>) -> tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>
  func.return
}

// -----

func.func @f(%x: tensor<3xf32, #nn.extents<[d0 / 5], "n", 8 to 16>>, %y: tensor<3xf32, #nn.extents<[(d0 + 1) / 5], "n", 8 to 16>>) {
  // expected-error@+1 {{1..3 == 1..3 holds for 8, not for 9}}
  %0 = nn.add %x, %y : (tensor<3xf32, #nn.extents<[d0 / 5], "n", 8 to 16>>, tensor<3xf32, #nn.extents<[(d0 + 1) / 5], "n", 8 to 16>>) -> tensor<3xf32, #nn.extents<[d0 / 5], "n", 8 to 16>>
  func.return
}

// -----

func.func @f(%x: tensor<8x8xf32, #nn.extents<[d0, d1], "n", 1 to 8, "m", 1 to 8>>, %y: tensor<8x8xf32, #nn.extents<[d1, d0], "n", 1 to 8, "m", 1 to 8>>) {
  // expected-error@+1 {{1..8 == 1..8 holds for n 1, m 1, not for n 1, m 2}}
  %0 = nn.add %x, %y : (tensor<8x8xf32, #nn.extents<[d0, d1], "n", 1 to 8, "m", 1 to 8>>, tensor<8x8xf32, #nn.extents<[d1, d0], "n", 1 to 8, "m", 1 to 8>>) -> tensor<8x8xf32, #nn.extents<[d0, d1], "n", 1 to 8, "m", 1 to 8>>
  func.return
}

// -----

func.func @f(%x: tensor<13x4xf32, #nn.extents<[d0 + 5, 4], "n", 1 to 8, "m", 1 to 5>>, %y: tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 1 to 8, "m", 1 to 5>>) {
  // expected-error@+1 {{6..13 == 2..13 holds for n 1, m 5, not for n 1, m 1}}
  %0 = nn.add %x, %y : (tensor<13x4xf32, #nn.extents<[d0 + 5, 4], "n", 1 to 8, "m", 1 to 5>>, tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 1 to 8, "m", 1 to 5>>) -> tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 1 to 8, "m", 1 to 5>>
  func.return
}

// -----

func.func @f(%x: tensor<4x8xf32, #nn.extents<[4, d0], "n", 1 to 8>>, %y: tensor<16x3xf32, #nn.extents<[2 * d0, 3], "n", 1 to 8>>) {
  // expected-error@+1 {{inner extents differ: [4, 1..8] times [2..16, 3] [matmul_c3]}}
  %0 = nn.matmul %x, %y : (tensor<4x8xf32, #nn.extents<[4, d0], "n", 1 to 8>>, tensor<16x3xf32, #nn.extents<[2 * d0, 3], "n", 1 to 8>>) -> tensor<4x3xf32>
  func.return
}

// -----

// Weights are constant, so the channels are.
func.func @f(%x: tensor<1x8x5x5xf32, #nn.extents<[1, d0, 5, 5], "n", 1 to 8>>, %w: tensor<2x8x1x1xf32>) {
  // expected-error@+1 {{1..8 == 8 holds for 8, not for 1}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x5x5xf32, #nn.extents<[1, d0, 5, 5], "n", 1 to 8>>, tensor<2x8x1x1xf32>) -> tensor<1x2x5x5xf32>
  func.return
}

// -----

// An extent that is 1 for one number is repeated for that one alone.
func.func @f(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, %y: tensor<9x6xf32, #nn.extents<[d0 + 1, 6], "n", 1 to 8>>) {
  // expected-error@+1 {{shapes 1..8x6 and 2..9x6 do not broadcast [op_c5]}}
  %0 = nn.add %x, %y : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<9x6xf32, #nn.extents<[d0 + 1, 6], "n", 1 to 8>>) -> tensor<9x6xf32, #nn.extents<[d0 + 1, 6], "n", 1 to 8>>
  func.return
}
