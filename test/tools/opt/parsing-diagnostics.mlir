// RUN: autodeploy-opt %s --parsing-diagnostics | filecheck %s
// RUN: not autodeploy-opt %s 2>&1 >/dev/null | filecheck %s
// RUN: not autodeploy-opt %s --verify-diagnostics 2>&1 >/dev/null | filecheck %s

// A syntax error names file, line and column; to stdout only with --parsing-diagnostics.

func.func @f(%a: i32) {
  %0 = arith.addi %a %a : i32
  func.return
}

// CHECK:      parsing-diagnostics.mlir:8:22: error: Expected ','
// CHECK-NEXT:   %0 = arith.addi %a %a : i32
// CHECK-NEXT:                      ^^
