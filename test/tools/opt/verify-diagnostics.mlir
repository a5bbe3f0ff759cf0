// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics | filecheck %s

// Each way to name the line of an expected error.

func.func @same(%a: i32) -> i64 {
  func.return %a : i32 // expected-error {{expected [i64], got [i32]}}
}

// -----

func.func @offset(%a: i32) -> i64 {
  // expected-error@+1 {{'func.return' op}}
  func.return %a : i32
}

// -----

func.func @negative(%a: i32) -> i64 {
  func.return %a : i32

  // expected-error @-2 {{expected [i64], got [i32]}}
}

// -----

func.func @below(%a: i32) -> i64 {
  // expected-error@below {{expected [i64], got [i32]}}
  func.return %a : i32
}

// -----

func.func @above(%a: i32) -> i64 {
  func.return %a : i32
  // expected-error@above {{expected [i64], got [i32]}}
}

// -----

func.func @regex(%a: i32) -> i64 {
  // expected-error-re@+1 {{expected [{{i[0-9]+}}], got [{{.*}}]}}
  func.return %a : i32
}

// -----

func.func @syntax(%a: i32) {
  // expected-error@+1 {{Operation arith.addition is not registered}}
  %0 = arith.addition %a, %a : i32
  func.return
}

// -----

// CHECK-NOT: @syntax
// CHECK:     @valid
func.func @valid() {
  func.return
}
