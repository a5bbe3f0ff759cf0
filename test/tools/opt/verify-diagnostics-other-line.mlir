// RUN: not autodeploy-opt %s --verify-diagnostics 2>&1 >/dev/null | filecheck %s

// The text alone is not enough: the line counts.

// expected-error@+1 {{expected [i64], got [i32]}}
func.func @f(%a: i32) -> i64 {
  func.return %a : i32
}

// CHECK: other-line.mlir:7:3: error: unexpected error: 'func.return' op
// CHECK: other-line.mlir:5:4: error: expected error "expected [i64], got [i32]" was not produced
