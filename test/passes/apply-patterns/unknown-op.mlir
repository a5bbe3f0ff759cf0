// RUN: not autodeploy-opt %s --apply-patterns="file=%S/Inputs/unknown-op.pdl.mlir" 2>&1 | filecheck %s

// An unknown name is found when the file is loaded, also where the module has nothing to rewrite.

// CHECK: unknown-op.pdl.mlir:4: pattern @typo: unknown operation 'nn.relo'; did you mean 'nn.relu'?
func.func @nothing() {
  func.return
}
