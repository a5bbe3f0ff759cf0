// RUN: autodeploy-opt %s --apply-patterns="file=%S/Inputs/double.pdl.mlir" | filecheck %s

// Ops within regions are matched too; the new ops stay where the old ones stood.

// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    scf.if %c -> (f32) {
// CHECK-NEXT:      %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %x, %[[TWO]] : f32
// CHECK-NEXT:      scf.yield %[[Y]] : f32
func.func @branch(%c: i1, %x: f32) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = arith.addf %x, %x : f32
    scf.yield %1 : f32
  } else {
    scf.yield %x : f32
  }
  func.return %0 : f32
}
