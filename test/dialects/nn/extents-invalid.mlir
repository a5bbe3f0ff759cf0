// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Extents are expressions of numbers whose ranges follow.

// expected-error@+1 {{Expected ','}}
func.func private @f(tensor<4xf32, #nn.extents<[d0]>>)

// -----

// expected-error@+1 {{expected a number of a run such as d0, found e0}}
func.func private @f(tensor<4xf32, #nn.extents<[e0], "n", 1 to 4>>)

// -----

// expected-error@+1 {{expected a number of a run such as d0, found d}}
func.func private @f(tensor<4xf32, #nn.extents<[d], "n", 1 to 4>>)

// -----

// There is one number.
// expected-error@+1 {{expected integers of 1 numbers}}
func.func private @f(tensor<4xf32, #nn.extents<[d1], "n", 1 to 4>>)

// -----

// expected-error@+1 {{expected integers of 1 numbers}}
func.func private @f(tensor<4xf32, #nn.extents<[d0 / 0], "n", 1 to 4>>)

// -----

// The number may be 0.
// expected-error@+1 {{expected integers of 1 numbers}}
func.func private @f(tensor<4xf32, #nn.extents<[4 / d0], "n", 0 to 4>>)

// -----

// expected-error@+1 {{identifier expected}}
func.func private @f(tensor<4xf32, #nn.extents<[d0 +], "n", 1 to 4>>)

// -----

// expected-error@+1 {{Expected ')'}}
func.func private @f(tensor<4xf32, #nn.extents<[(d0], "n", 1 to 4>>)

// -----

// expected-error@+1 {{Expected 'to'}}
func.func private @f(tensor<4xf32, #nn.extents<[d0], "n", 4>>)

// -----

// The shape of a type has the largest extents.
func.func @f(%x: tensor<5xf32, #nn.extents<[d0], "n", 1 to 4>>) {
  // expected-error@+1 {{tensor<5xf32, #nn.extents<[d0], "n", 1 to 4>> has other extents than its shape [op_c6]}}
  %y = nn.abs %x : (tensor<5xf32, #nn.extents<[d0], "n", 1 to 4>>) -> tensor<5xf32, #nn.extents<[d0], "n", 1 to 4>>
  func.return
}

// -----

func.func @f(%x: tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>) {
  // expected-error@+1 {{expected result type tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>, found tensor<4xf32> [op_c2]}}
  %y = nn.abs %x : (tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>) -> tensor<4xf32>
  func.return
}

// -----

// Extents that are the same for the largest number differ for others.
func.func @f(%x: tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>) {
  // expected-error@+1 {{expected result type tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>, found tensor<4xf32, #nn.extents<[2 * d0 - 4], "n", 1 to 4>> [op_c2]}}
  %y = nn.abs %x : (tensor<4xf32, #nn.extents<[d0], "n", 1 to 4>>) -> tensor<4xf32, #nn.extents<[2 * d0 - 4], "n", 1 to 4>>
  func.return
}

// -----

func.func @f(%x: tensor<4x4xf32, #nn.extents<[d0], "n", 1 to 4>>) {
  // expected-error@+1 {{tensor<4x4xf32, #nn.extents<[d0], "n", 1 to 4>> has other extents than its shape [op_c6]}}
  %y = nn.abs %x : (tensor<4x4xf32, #nn.extents<[d0], "n", 1 to 4>>) -> tensor<4x4xf32, #nn.extents<[d0], "n", 1 to 4>>
  func.return
}

// -----

// expected-error@+1 {{expected ranges of several numbers from 0 on}}
func.func private @f(tensor<4xf32, #nn.extents<[d0], "n", 4 to 1>>)

// -----

// expected-error@+1 {{expected ranges of several numbers from 0 on}}
func.func private @f(tensor<4xf32, #nn.extents<[d0], "n", 1 to 4 by 0>>)

// -----

// expected-error@+1 {{have 99999999999999 combinations of numbers, at most 1048576 can be followed}}
func.func private @f(tensor<4xf32, #nn.extents<[d0], "n", 1 to 99999999999999>>)

// -----

// expected-error@+1 {{expected an integer that differs between runs}}
func.func private @f(tensor<4xf32, #nn.extents<[4], "n", 1 to 4>>)

// -----

// expected-error@+1 {{no nn.open_extent before has the derived number 0123}}
func.func private @f(tensor<4xf32, #nn.extents<[d1], "n", 1 to 4 derived ("0123")>>)
