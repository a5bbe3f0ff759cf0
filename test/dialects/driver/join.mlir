// RUN: autodeploy-opt %s --print-op-generic | autodeploy-opt | filecheck %s

// Rows of the past, and new ones behind them: where they begin follows from the number. What a kernel reads of the
// result lies in the caller's memory, whose strides only a call brings.

// CHECK:       halide.pipeline @k(%x: !halide.buffer<f32, [9, 4, 3]>) to (%y: !halide.buffer<f32, [9, 4, 3]>)
// CHECK-SAME:  open [affine_map<(d0) -> (0, (d0 + 1), 0)>, affine_map<(d0) -> (0, (d0 + 1), 0)>] packed [0]
// CHECK:         driver.join %past to %all from 0 on 1 : memref<3x3x9xf32> to memref<3x4x9xf32>
// CHECK-NEXT:    driver.join %new to %all from 3 on 1 behind array<i64: 1> : memref<3x1x9xf32> to memref<3x4x9xf32>
// CHECK:         driver.call @k(%all) to (%b)
halide.pipeline @k(%x: !halide.buffer<f32, [9, 4, 3]>) to (%y: !halide.buffer<f32, [9, 4, 3]>)
    open [affine_map<(n) -> (0, n + 1, 0)>, affine_map<(n) -> (0, n + 1, 0)>] packed [0] {
  %f = halide.func "f"(i %i, j %j, k %k) : f32 {
    %v = halide.load %x[%i, %j, %k] : !halide.buffer<f32, [9, 4, 3]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 3> in !halide.buffer<f32, [9, 4, 3]>
}
driver.program @net inputs ["past", "new"] outputs ["all"] open <"n", 0 to 3> in
    [array<i64: 0, 1, 0>, array<i64: 0, 0, 0>, affine_map<(n) -> (0, n + 1, 0)>] {
^bb0(%past: memref<3x3x9xf32>, %new: memref<3x1x9xf32>, %all: memref<3x4x9xf32>):
  driver.join %past to %all from 0 on 1 : memref<3x3x9xf32> to memref<3x4x9xf32>
  driver.join %new to %all from 3 on 1 behind array<i64: 1> : memref<3x1x9xf32> to memref<3x4x9xf32>
  %b = driver.buffer open affine_map<(n) -> (0, n + 1, 0)> : memref<3x4x9xf32>
  driver.call @k(%all) to (%b) : (memref<3x4x9xf32>) to (memref<3x4x9xf32>)
}
