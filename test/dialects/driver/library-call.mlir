// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A call of the library prints as it parses.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<2x9xf32>, %y: memref<2x3xi64>):
  driver.library_call "order"(%x) to (%y) {parameters = array<i64: 1>} : (memref<2x9xf32>) to (memref<2x3xi64>)
}

// CHECK: driver.library_call "order"(%x) to (%y) {parameters = array<i64: 1>} : (memref<2x9xf32>) to (memref<2x3xi64>)
