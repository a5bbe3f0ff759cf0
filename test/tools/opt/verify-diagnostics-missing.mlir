// RUN: not autodeploy-opt %s --verify-diagnostics 2>&1 >/dev/null | filecheck %s

// A comment without its error is a failure at the comment.

func.func @f() {
  // expected-error@+1 {{something wrong}}
  func.return
}

// CHECK:      verify-diagnostics-missing.mlir:6:6: error: expected error "something wrong" was not produced
// CHECK-NEXT: something wrong
// CHECK-NEXT: ^
