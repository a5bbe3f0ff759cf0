// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What reshape, transpose, broadcast and concat ask of their operands.

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{a reshape keeps the number of elements: tensor<2x3xf32> to tensor<5xf32> [reshape_c1]}}
  %0 = nn.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{expected result type tensor<6xf32>, found tensor<6xf16> [op_c2]}}
  %0 = nn.reshape %x : (tensor<2x3xf32>) -> tensor<6xf16>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation takes 2 values, found 1 [property_c1]}}
  %0 = nn.transpose %x {permutation = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation must name axis 1 only once, found [1, 1] [property_c5]}}
  %0 = nn.transpose %x {permutation = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation must be in 0 to 1, found [0, 2] [property_c4]}}
  %0 = nn.transpose %x {permutation = array<i64: 0, 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{tensor<2x3xf32> does not broadcast to tensor<1x3xf32> [broadcast_c1]}}
  %0 = nn.broadcast %x : (tensor<2x3xf32>) -> tensor<1x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>) {
  // expected-error@+1 {{shapes 2x3 and 4x3 do not broadcast [op_c5]}}
  %0 = nn.broadcast %x : (tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{a concat takes at least one operand [concat_c1]}}
  %0 = nn.concat {axis = 0 : i64} : () -> tensor<0xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // expected-error@+1 {{axis must be in 0 to 0, found [-1] [property_c4]}}
  %0 = nn.concat %x, %y {axis = -1 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{shapes differ outside of axis 0: [[2, 3], [2, 4]] [concat_c2]}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error-re@+1 {{shapes differ outside of axis 1: {{.*}} [concat_c2]}}
  %0 = nn.concat %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>, %y: tensor<2xf16>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf16>) -> tensor<4xf32>
  func.return
}

// -----

// Elements are as many for the largest number, and not for others.
func.func @f(%x: tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) {
  // expected-error@+1 {{2..12 == 7..12 holds for 6, not for 1}}
  %0 = nn.reshape %x : (tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> tensor<12xf32, #nn.extents<[d0 + 6], "n", 1 to 6>>
  func.return
}

// -----

func.func @f(%x: tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) {
  // expected-error@+1 {{a reshape keeps the number of elements: tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>> to tensor<13xf32, #nn.extents<[2 * d0 + 1], "n", 1 to 6>> [reshape_c1]}}
  %0 = nn.reshape %x : (tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>) -> tensor<13xf32, #nn.extents<[2 * d0 + 1], "n", 1 to 6>>
  func.return
}

// -----

func.func @f(%x: tensor<1x6xf32>) {
  // expected-error@+1 {{1..6 == 6 holds for 6, not for 1}}
  %0 = nn.broadcast %x : (tensor<1x6xf32>) -> tensor<2x6xf32, #nn.extents<[2, d0], "n", 1 to 6>>
  func.return
}

// -----

func.func @f(%x: tensor<6x2xf32, #nn.extents<[d0, 2], "n", 1 to 6>>, %y: tensor<6x2xf32>) {
  // expected-error@+1 {{1..6 == 6 holds for 6, not for 1}}
  %0 = nn.concat %x, %y {axis = 1 : i64} : (tensor<6x2xf32, #nn.extents<[d0, 2], "n", 1 to 6>>, tensor<6x2xf32>) -> tensor<6x4xf32, #nn.extents<[d0, 4], "n", 1 to 6>>
  func.return
}
