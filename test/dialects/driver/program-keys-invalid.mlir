// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Keys fit the arguments.

// expected-error@+1 {{1 lists of keys for 2 arguments [program_c13]}}
driver.program @net inputs ["x"] outputs ["y"] keys [["a"]] {
^bb0(%x: memref<1xf32>, %y: memref<1xf32>):
}

// -----

// expected-error@+1 {{["a"] are no keys of memref<1x2xf32> [program_c13]}}
driver.program @net inputs ["x"] outputs ["y"] keys [[], ["a"]] {
^bb0(%x: memref<1xf32>, %y: memref<1x2xf32>):
}

// -----

// expected-error@+1 {{["a", 1 : i64] are no keys of memref<2xf32> [program_c13]}}
driver.program @net inputs ["x"] outputs ["y"] keys [[], ["a", 1 : i64]] {
^bb0(%x: memref<1xf32>, %y: memref<2xf32>):
}

// -----

// expected-error@+1 {{["a"] are no keys of memref<f32> [program_c13]}}
driver.program @net inputs ["x"] outputs ["y"] keys [[], ["a"]] {
^bb0(%x: memref<1xf32>, %y: memref<f32>):
}
