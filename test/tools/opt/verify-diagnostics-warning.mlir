// RUN: not autodeploy-opt %s --verify-diagnostics 2>&1 >/dev/null | filecheck %s

// There are errors only: no other kind is ever met.

func.func @f(%a: i32) -> i64 {
  // expected-warning@+1 {{expected [i64], got [i32]}}
  func.return %a : i32
}

// CHECK: error: unexpected error: 'func.return' op
// CHECK: error: expected warning "expected [i64], got [i32]" was not produced
