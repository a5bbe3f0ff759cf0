// RUN: autodeploy-opt %s --split-input-file | autodeploy-opt --split-input-file | filecheck %s

// A program for a part of open extents names all numbers of a run; a number of one range is a constant of it.

driver.program @net inputs ["x"] outputs ["y"] variant "h=7,w=5..9" part <"h", 7 to 7, "w", 5 to 9> open <"w", 5 to 9> in [array<i64: 0, 1>, array<i64: 0, 1>] {
^bb0(%x: memref<7x9xf32>, %y: memref<7x9xf32>):
}

// CHECK: variant "h=7,w=5..9" part <"h", 7 to 7, "w", 5 to 9> open <"w", 5 to 9>

// -----

driver.program @net inputs ["x"] outputs ["y"] variant "n=32" part <"n", 4 to 4 by 8> {
^bb0(%x: memref<32xf32>, %y: memref<32xf32>):
}

// CHECK: variant "n=32" part <"n", 4 to 4 by 8> {

// -----

builtin.module attributes {driver.part = #driver.part<"n", 1 to 1, "m", 2 to 3 by 4>} {}

// CHECK: driver.part = #driver.part<"n", 1 to 1, "m", 2 to 3 by 4>
