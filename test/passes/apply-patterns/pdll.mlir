// RUN: autodeploy-opt %s --apply-patterns="file=%S/Inputs/double.pdll" | filecheck %s

// A file of one's own may be written in PDLL.

// CHECK-LABEL: func.func @fourfold(%x: f32)
// CHECK-NEXT:    %[[FOUR:.*]] = arith.constant 4.000000e+00 : f32
// CHECK-NEXT:    %[[Y:.*]] = arith.mulf %x, %[[FOUR]] : f32
// CHECK-NEXT:    func.return %[[Y]] : f32
func.func @fourfold(%x: f32) -> f32 {
  %0 = arith.addf %x, %x : f32
  %1 = arith.addf %0, %0 : f32
  func.return %1 : f32
}
