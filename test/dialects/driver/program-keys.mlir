// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// The rows of an input and of an output are maps with these keys.

// CHECK: driver.program @net inputs ["x"] outputs ["y", "z"] keys {{\[\[}}"a", "b c"], [], [3 : i64, -1 : i64]] {
driver.program @net inputs ["x"] outputs ["y", "z"] keys [["a", "b c"], [], [3 : i64, -1 : i64]] {
^bb0(%x: memref<2xf32>, %y: memref<4x2xf32>, %z: memref<4x2xf32>):
}
