// RUN: autodeploy-opt --form-copies %s | filecheck %s

// The copy of an argument whose strides follow from the number is a kernel of its own, beside that of a buffer.

driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1, 0>] {
^bb0(%x: memref<3x8x4xf32>):
  %a = driver.view %x : memref<3x8x4xf32> to memref<3x4x8xf32, strided<[32, 1, 4]>>
  %b = driver.buffer open array<i64: 0, 0, 1> : memref<3x4x8xf32>
  driver.copy %a to %b : memref<3x4x8xf32, strided<[32, 1, 4]>> to memref<3x4x8xf32>
  %y = driver.buffer open array<i64: 0, 1, 0> : memref<3x8x4xf32>
  %c = driver.view %y : memref<3x8x4xf32> to memref<3x4x8xf32, strided<[32, 1, 4]>>
  %d = driver.buffer open array<i64: 0, 0, 1> : memref<3x4x8xf32>
  driver.copy %c to %d : memref<3x4x8xf32, strided<[32, 1, 4]>> to memref<3x4x8xf32>
}

// CHECK: halide.pipeline @copy_0(%in0: !halide.buffer<f32, [8, 4, 3], [4, 1, 32]>) to {{.*}} config<copy> open {{.*}} packed [0] {
// CHECK: halide.pipeline @copy_1(%in0: !halide.buffer<f32, [8, 4, 3], [4, 1, 32]>) to {{.*}} config<copy> open {{[^p]*}} {
// CHECK: driver.call @copy_0(%a) to (%b)
// CHECK: driver.call @copy_1(%c) to (%d)
