// RUN: not autodeploy-opt %s --apply-patterns="file=%S/Inputs/unknown-op.pdll" 2>&1 | filecheck %s

// The place is a line and a column; only the one line is printed.

// CHECK:      unknown-op.pdll:5:14: pattern @Typo: unknown operation 'nn.relo'; did you mean 'nn.relu'? (in pass 'apply-patterns')
// CHECK-NOT:  {{.}}
func.func @nothing() {
  func.return
}
