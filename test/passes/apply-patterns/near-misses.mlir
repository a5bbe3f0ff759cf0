// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --apply-patterns="file=%S/Inputs/double.pdl.mlir" | diff %t -

// Another operand, another type, and a product that is also a result of the function.

func.func @two_operands(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  func.return %0 : f32
}

func.func @f64(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  func.return %0 : f64
}

func.func @also_returned(%x: f32) -> (f32, f32) {
  %two = arith.constant 2.0 : f32
  %0 = arith.mulf %x, %two : f32
  %1 = arith.mulf %0, %two : f32
  func.return %1, %0 : f32, f32
}
