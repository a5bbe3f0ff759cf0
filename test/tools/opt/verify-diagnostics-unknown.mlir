// RUN: autodeploy-opt %s --split-input-file --apply-patterns=file=none.pdl.mlir --verify-diagnostics

// An error that names no place in the text matches at any line, or @unknown.

func.func @f() {
  // expected-error@below {{(in pass 'apply-patterns')}}
  func.return
}

// -----

// expected-error@unknown {{none.pdl.mlir}}
func.func @f() {
  func.return
}
