// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A range has several numbers, and an axis a coefficient or a map of them.

// expected-error@+1 {{an open extent has a range of several numbers that are not negative, found 8 to 8 [open_extent_c1]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"batch", 8 to 8>}

// -----

// expected-error@+1 {{an open extent has a range of several numbers that are not negative, found -1 to 8 [open_extent_c1]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"batch", -1 to 8>}

// -----

// expected-error@+1 {{a step is a positive number, found 0 [open_extent_c2]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"width", 8 to 16 by 0>}

// -----

func.func @f() {
  // expected-error@+1 {{affine_map<(d0) -> ((d0 mod 2))> has no extents that grow with a number [open_extent_c3]}}
  nn.for steps 2 open affine_map<(n) -> (n mod 2)> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{affine_map<(d0) -> (5)> has no extents that grow with a number [open_extent_c3]}}
  nn.for steps 2 open affine_map<(n) -> (5)> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{affine_map<(d0) -> ((d0 * -1))> has no extents that grow with a number [open_extent_c3]}}
  nn.for steps 2 open affine_map<(n) -> (n * -1)> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{affine_map<(d0) -> ((((d0 floordiv 2) * 2) + 1))> has no extents that grow with a number [open_extent_c3]}}
  nn.for steps 2 open affine_map<(n) -> (n floordiv 2 * 2 + 1)> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{array<i64: -1> has no extents that grow with a number [open_extent_c3]}}
  nn.for steps 2 open array<i64: -1> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{#nn.products<[affine_map<(d0) -> (d0)>, affine_map<(d0) -> ((d0 mod 2))>]> has no extents that grow with numbers [open_extent_c3]}}
  nn.for steps 2 open #nn.products<[affine_map<(n) -> (n)>, affine_map<(n) -> (n mod 2)>]> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{#nn.products<[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0, d0)>]> has no extents that grow with numbers [open_extent_c3]}}
  nn.for steps 2 open #nn.products<[affine_map<(n) -> (n)>, affine_map<(n) -> (n, n)>]> from () over () with () {backwards = array<i64>} : (), (), () -> () {
  ^bb0(%i: tensor<i64>):
    nn.yield :
  }
  func.return
}

// -----

// expected-error@+1 {{names of open extents differ, found 'n', 'n' [open_extent_c4]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 8, "n", 1 to 4>}

// -----

// expected-error@+1 {{a derived number of 1 to 3 has a table of [2] for [3] numbers [open_extent_c5]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 3 derived ([2] = [1, 3])>}

// -----

// expected-error@+1 {{a derived number of 1 to 3 has a table of [3, 1] for [3] numbers [open_extent_c5]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 3 derived ([3, 1] = [1, 2, 3])>}

// -----

// expected-error@+1 {{a derived number of 2 to 2 has a table of [3] for [3] numbers [open_extent_c5]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 3 derived ([3] = [2, 2, 2])>}

// -----

// expected-error@+1 {{a derived number of -1 to 2 has a table of [3] for [3] numbers [open_extent_c5]}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 3 derived ([3] = [2, -1, 2])>}

// -----

// expected-error@+1 {{expected 3 integers of 32 bits, found 2}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 3 derived ([3] = [2, 3])>}

// -----

// expected-error@+1 {{expected 3 integers of 32 bits, found 3}}
func.func private @f() attributes {nn.value = #nn.open_extent<"n", 1 to 3 derived ([3] = [2, 3, 2147483648])>}
