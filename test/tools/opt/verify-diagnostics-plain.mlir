// RUN: autodeploy-opt %s --verify-diagnostics | filecheck %s
// RUN: not autodeploy-opt %s 2>&1 >/dev/null | filecheck %s --check-prefix=STDERR

// Without comments the error goes to stdout, to be checked there.

func.func @f(%a: i32) -> i64 {
  func.return %a : i32
}

// CHECK:       plain.mlir:7:3: error: 'func.return' op Expected arguments to have the same types
// CHECK-NEXT:    func.return %a : i32
// CHECK-NEXT:    ^
// CHECK:       Operation does not verify: Expected arguments
// CHECK-NOT:   builtin.module {

// STDERR:      plain.mlir:7:3: error: 'func.return' op Expected arguments to have the same types
// STDERR-NEXT:   func.return %a : i32
// STDERR-NEXT:   ^
// STDERR-NOT:  {{.}}
