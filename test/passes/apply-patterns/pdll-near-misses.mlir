// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --apply-patterns="file=%S/Inputs/double.pdll" | diff %t -

// Two operands that differ, a factor that is another one, a product that is read twice, another type.

func.func @other_operand(%x: f32, %y: f32) -> f32 {
  %0 = arith.addf %x, %y : f32
  func.return %0 : f32
}

func.func @other_factor(%x: f32) -> f32 {
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %0 = arith.mulf %two, %x : f32
  %1 = arith.mulf %0, %three : f32
  func.return %1 : f32
}

func.func @read_twice(%x: f32) -> (f32, f32) {
  %two = arith.constant 2.0 : f32
  %0 = arith.mulf %two, %x : f32
  %1 = arith.mulf %0, %two : f32
  func.return %0, %1 : f32, f32
}

func.func @other_type(%x: f64) -> f64 {
  %0 = arith.addf %x, %x : f64
  func.return %0 : f64
}
