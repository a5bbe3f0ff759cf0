// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A range has several numbers, and a kernel a coefficient for each axis.

// expected-error@+1 {{an open extent has a range of several numbers that are not negative, found 8 to 8 [open_extent_c1]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"batch", 8 to 8>}

// -----

// expected-error@+1 {{a step is a positive number, found 0 [open_extent_c2]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"width", 8 to 16 by 0>}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{open says of each axis of operands and results how it grows [kernel_c9]}}
  %k = nn.kernel(%x) {open = [array<i64: 1>, array<i64: 1, 0>]} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{affine_map<(d0) -> ((d0 mod 2))> has no extents that grow with a number [open_extent_c3]}}
  %k = nn.kernel(%x) {open = [array<i64: 1>, affine_map<(n) -> (n mod 2)>]} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{affine_map<(d0) -> (5)> has no extents that grow with a number [open_extent_c3]}}
  %k = nn.kernel(%x) {open = [array<i64: 1>, affine_map<(n) -> (5)>]} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{affine_map<(d0) -> ((d0 * -1))> has no extents that grow with a number [open_extent_c3]}}
  %k = nn.kernel(%x) {open = [array<i64: 1>, affine_map<(n) -> (n * -1)>]} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{affine_map<(d0) -> ((((d0 floordiv 2) * 2) + 1))> has no extents that grow with a number [open_extent_c3]}}
  %k = nn.kernel(%x) {open = [array<i64: 1>, affine_map<(n) -> (n floordiv 2 * 2 + 1)>]} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{array<i64: -1> has no extents that grow with a number [open_extent_c3]}}
  %k = nn.kernel(%x) {open = [array<i64: 1>, array<i64: -1>]} : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    %a = nn.abs %i : (tensor<2xf32>) -> tensor<2xf32>
    nn.yield %a : tensor<2xf32>
  }
  func.return
}

// -----

// expected-error@+1 {{names of open extents differ, found 'n', 'n' [open_extent_c4]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 8, "n", 1 to 4>}
