// RUN: not autodeploy-opt %s --apply-patterns="file=%S/Inputs/endless.pdl.mlir" 2>&1 | filecheck %s

// CHECK: endless.pdl.mlir:1: pattern @swap: still matches after {{[0-9]+}} rewrites
func.func @add(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  func.return %0 : f32
}
