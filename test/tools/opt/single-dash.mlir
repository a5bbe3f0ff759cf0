// Options and passes take one dash, too, as in MLIR's tools, and have MLIR's names.

// RUN: autodeploy-opt %s -cse -mlir-print-ir-after-all -mlir-timing -split-input-file 2>&1 >%t | filecheck %s --check-prefix=ERR
// RUN: filecheck %s --check-prefix=OUT --input-file %t
// RUN: autodeploy-opt %s -split-input-file --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: autodeploy-opt %s -split-input-file -mlir-print-ir-before=dce -p cse,dce 2>&1 >/dev/null | filecheck %s --check-prefix=BEFORE

// A word after two dashes is an input, whatever it starts with.
// RUN: not autodeploy-opt -cse -- -dce 2>&1 | filecheck %s --check-prefix=FILE
// FILE: error: {{.*}}'-dce'

// Names that neither are nor were meant with two dashes stay as they are.
// RUN: not autodeploy-opt -cses 2>&1 | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown option or pass '-cses'; did you mean '--cse'?

func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  func.return
}
// -----
func.func @g() {
  func.return
}

// ERR:       IR Dump After CommonSubexpressionElimination (cse)
// ERR:       Execution time report
// OUT-NOT:   addi
// OUT:       func.func @f
// OUT:       // -----
// OUT:       func.func @g
// GENERIC:   "func.func"() <{
// BEFORE:    IR Dump Before DeadCodeElimination (dce)
// BEFORE-NOT: IR Dump Before Common
