// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// A tensor of no elements takes nothing, a buffer that nothing uses still has an offset.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<0x3xf32>
  %b = driver.buffer : memref<4xf32>
  driver.copy %x to %y : memref<4xf32> to memref<4xf32>
}

// CHECK: arena 64 {
// CHECK: %a = driver.buffer {offset = 0 : i64} : memref<0x3xf32>
// CHECK: %b = driver.buffer {offset = 0 : i64} : memref<4xf32>
