// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// The last output, which is not the caller's, holds the extents of the first one.

// CHECK: driver.program @net inputs ["x"] outputs ["y", "z", "extents"] shapes_of [array<i64: 0, 1>] {
driver.program @net inputs ["x"] outputs ["y", "z", "extents"] shapes_of [array<i64: 0, 1>] {
^bb0(%x: memref<2x4xf32>, %y: memref<2x4xf32>, %z: memref<2x4xf32>, %extents: memref<2xi64>):
  driver.copy %x to %y : memref<2x4xf32> to memref<2x4xf32>
  driver.copy %x to %z : memref<2x4xf32> to memref<2x4xf32>
}
