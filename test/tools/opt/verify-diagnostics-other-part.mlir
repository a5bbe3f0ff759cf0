// RUN: not autodeploy-opt %s --split-input-file --verify-diagnostics 2>&1 >/dev/null | filecheck %s

// Where one part has a comment, an error in a part without one is unexpected.

func.func @f(%a: i32) -> i64 {
  // expected-error@+1 {{expected [i64], got [i32]}}
  func.return %a : i32
}

// -----

func.func @g(%a: i32) -> i64 {
  func.return %a : i32
}

// CHECK:     {{^[^ ]*}}other-part.mlir:13:3: error: unexpected error: 'func.return' op
