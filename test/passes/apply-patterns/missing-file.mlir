// RUN: not autodeploy-opt %s --apply-patterns="file=%S/Inputs/no.pdl.mlir" 2>&1 | filecheck %s

// CHECK: pattern file '{{.*}}no.pdl.mlir' does not exist
func.func @nothing() {
  func.return
}
