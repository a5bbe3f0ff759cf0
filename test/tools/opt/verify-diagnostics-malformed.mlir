// RUN: not autodeploy-opt %s --verify-diagnostics 2>&1 >/dev/null | filecheck %s

func.func @f() {
  // expected-error@+1 {something wrong}
  func.return
}

// CHECK: autodeploy-opt: error: {{.*}}malformed.mlir:4: malformed expectation, expected 'expected-error {{.*}}text
