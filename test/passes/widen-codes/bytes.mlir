// RUN: autodeploy-opt %S/stores-between.mlir --set-machine="machine=x86-64-zen4" > %t.mlir
// RUN: autodeploy-opt %t.mlir --widen-codes | diff %t.mlir -

// A machine that multiplies bytes takes codes of 8 bits from memory.
