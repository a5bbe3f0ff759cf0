// RUN: autodeploy-opt --form-copies %s | filecheck %s

// An open axis is not merged into the one around it: its elements of a run are not all that are there. What is inside of
// it may be.

driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 8> in [array<i64: 1, 0, 0>, array<i64: 0>] {
^bb0(%x: memref<8x3x2xf32>, %y: memref<4xf32>):
  %t = driver.buffer open array<i64: 0, 0, 1> : memref<3x2x8xf32>
  %a = driver.view %x : memref<8x3x2xf32> to memref<3x2x8xf32, strided<[2, 1, 6]>>
  driver.copy %a to %t : memref<3x2x8xf32, strided<[2, 1, 6]>> to memref<3x2x8xf32>
  %b = driver.buffer open array<i64: 0, 1, 0> : memref<3x8x2xf32>
  %c = driver.view %x : memref<8x3x2xf32> to memref<3x8x2xf32, strided<[2, 6, 1]>>
  driver.copy %c to %b : memref<3x8x2xf32, strided<[2, 6, 1]>> to memref<3x8x2xf32>
}

// CHECK: halide.pipeline @copy_0(%in0: !halide.buffer<f32, [8, 6], [6, 1]>) to (%result0: !halide.buffer<f32, [8, 6]>) config<copy> open {{\[\[}}1, 0], [1, 0]] {
// CHECK: halide.pipeline @copy_1(%in0: !halide.buffer<f32, [2, 8, 3], [1, 6, 2]>) to (%result0: !halide.buffer<f32, [2, 8, 3]>) config<copy> open {{\[\[}}0, 1, 0], [0, 1, 0]] {
