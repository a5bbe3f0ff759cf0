// RUN: autodeploy-opt %s --elide-copies | filecheck %s

// A buffer into which rows are joined moves to where it is copied as a whole. Rows of a part of what is joined stay
// together: one whose rows would have gaps is copied.

driver.program @net inputs ["x", "xt"] outputs ["y"] open <"n", 1 to 8> in [array<i64: 0, 1, 0>, array<i64: 0, 1, 0, 0>, array<i64: 0>] {
^bb0(%x: memref<3x8x4xf32>, %xt: memref<3x8x2x2xf32>, %y: memref<4xf32>):
  %all = driver.buffer open array<i64: 0, 0, 2, 0> : memref<2x3x16x4xf32>
  %j = driver.buffer open array<i64: 0, 2, 0> : memref<3x16x4xf32>
  driver.join %x to %j from 0 on 1 : memref<3x8x4xf32> to memref<3x16x4xf32>
  driver.join %x to %j from 8 on 1 behind array<i64: 1> : memref<3x8x4xf32> to memref<3x16x4xf32>
  %half = driver.view %all {offset = 192} : memref<2x3x16x4xf32> to memref<3x16x4xf32>
  driver.copy %j to %half : memref<3x16x4xf32> to memref<3x16x4xf32>
  %wide = driver.buffer open array<i64: 0, 2, 0> : memref<3x16x8xf32>
  %k = driver.buffer open array<i64: 0, 2, 0> : memref<3x16x4xf32>
  driver.join %x to %k from 0 on 1 : memref<3x8x4xf32> to memref<3x16x4xf32>
  %left = driver.view %wide : memref<3x16x8xf32> to memref<3x16x4xf32, strided<[128, 8, 1]>>
  driver.copy %k to %left : memref<3x16x4xf32> to memref<3x16x4xf32, strided<[128, 8, 1]>>
  %t = driver.buffer open array<i64: 0, 2, 0, 0> : memref<3x16x2x2xf32>
  %u = driver.buffer open array<i64: 0, 0, 2, 0> : memref<3x2x16x2xf32>
  %v = driver.view %u : memref<3x2x16x2xf32> to memref<3x16x2x2xf32, strided<[64, 2, 32, 1]>>
  driver.join %xt to %t from 0 on 1 : memref<3x8x2x2xf32> to memref<3x16x2x2xf32>
  driver.copy %t to %v : memref<3x16x2x2xf32> to memref<3x16x2x2xf32, strided<[64, 2, 32, 1]>>
}

// CHECK:      %j = driver.view %all {offset = 192 : i64} : memref<2x3x16x4xf32> to memref<3x16x4xf32>
// CHECK-NEXT: driver.join %x to %j from 0 on 1
// CHECK-NEXT: driver.join %x to %j from 8 on 1 behind array<i64: 1>
// CHECK-NOT:  driver.copy %j
// CHECK:      %k = driver.view %wide : memref<3x16x8xf32> to memref<3x16x4xf32, strided<[128, 8, 1]>>
// CHECK-NEXT: driver.join %x to %k from 0 on 1
// CHECK-NOT:  driver.copy %k
// CHECK:      %t = driver.buffer
// CHECK:      driver.join %xt to %t from 0 on 1
// CHECK-NEXT: driver.copy %t to %v
