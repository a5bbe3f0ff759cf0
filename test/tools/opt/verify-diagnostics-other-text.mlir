// RUN: not autodeploy-opt %s --verify-diagnostics 2>&1 >/dev/null | filecheck %s

// An error with another text is both unexpected and missing.

func.func @f(%a: i32) -> i64 {
  // expected-error@+1 {{another text}}
  func.return %a : i32
}

// CHECK: other-text.mlir:7:3: error: unexpected error: 'func.return' op Expected arguments
// CHECK: other-text.mlir:6:6: error: expected error "another text" was not produced
