// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What slices and pads ask of their extents.

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{starts takes 2 values, found 1 [property_c1]}}
  %0 = nn.slice %x {starts = array<i64: 0>, sizes = array<i64: 2, 4>, steps = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{sizes takes 2 values, found 3 [property_c1]}}
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 4, 1>, steps = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{steps takes 2 values, found 1 [property_c1]}}
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 4>, steps = array<i64: 1>} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{sizes must be at least 0, found [-1, 4] [property_c2]}}
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: -1, 4>, steps = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{steps must not be 0, found [0, 1] [slice_c1]}}
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2, 4>, steps = array<i64: 0, 1>} : (tensor<4x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{3 elements from 2 by 1 leave the 4 of axis 1 [slice_c2]}}
  %0 = nn.slice %x {starts = array<i64: 0, 2>, sizes = array<i64: 4, 3>, steps = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{3 elements from 1 by -1 leave the 4 of axis 0 [slice_c2]}}
  %0 = nn.slice %x {starts = array<i64: 1, 0>, sizes = array<i64: 3, 4>, steps = array<i64: -1, 1>} : (tensor<4x4xf32>) -> tensor<3x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{1 elements from -1 by 1 leave the 4 of axis 0 [slice_c2]}}
  %0 = nn.slice %x {starts = array<i64: -1, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<1x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{pads takes 4 values, found 2 [property_c1]}}
  %0 = nn.pad %x {pads = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{pads must be at least 0, found [0, -1, 0, 0] [property_c2]}}
  %0 = nn.pad %x {pads = array<i64: 0, -1, 0, 0>} : (tensor<4x4xf32>) -> tensor<4x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{expected result type tensor<4x6xf32>, found tensor<6x4xf32> [op_c2]}}
  %0 = nn.pad %x {pads = array<i64: 0, 1, 0, 1>} : (tensor<4x4xf32>) -> tensor<6x4xf32>
  func.return
}

// -----

// Starts and sizes may follow from the number of a run: all elements are there for each.
func.func @f(%x: tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) {
  // expected-error@+1 {{starts takes 2 values, found 1 [property_c1]}}
  %0 = nn.slice %x {starts = #nn.extents<[d0 - 1], "n", 1 to 4>, sizes = array<i64: 4, 1>, steps = array<i64: 1, 1>} : (tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) -> tensor<4x1xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) {
  // expected-error@+1 {{2 elements from 0..3 by 1 leave the 1..4 of axis 1 [slice_c2]}}
  %0 = nn.slice %x {starts = #nn.extents<[0, d0 - 1], "n", 1 to 4>, sizes = array<i64: 4, 2>, steps = array<i64: 1, 1>} : (tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) -> tensor<4x2xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) {
  // expected-error@+1 {{0..1 == 0 holds for 1, not for 4}}
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 4, 4>, steps = array<i64: 1, 1>} : (tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) {
  // expected-error@+1 {{0..1 == 0 holds for 1, not for 2}}
  %0 = nn.slice %x {starts = #nn.extents<[0, d0 - 2], "n", 1 to 4>, sizes = array<i64: 4, 1>, steps = array<i64: 1, 1>} : (tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) -> tensor<4x1xf32>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) {
  // expected-error@+1 {{expected result type tensor<4x3xf32, #nn.extents<[4, d0 - 1], "n", 1 to 4>>, found tensor<4x3xf32> [op_c2]}}
  %0 = nn.slice %x {starts = array<i64: 0, 1>, sizes = #nn.extents<[4, d0 - 1], "n", 1 to 4>, steps = array<i64: 1, 1>} : (tensor<4x4xf32, #nn.extents<[4, d0], "n", 1 to 4>>) -> tensor<4x3xf32>
  func.return
}
