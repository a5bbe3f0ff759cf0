// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Defaults fit the inputs.

// expected-error@+1 {{1 defaults for 2 inputs [program_c22]}}
driver.program @net inputs ["x", "k"] outputs ["y"] defaults [unit] {
^bb0(%x: memref<1xf32>, %k: memref<1xf32>, %y: memref<1xf32>):
}

// -----

// expected-error@+1 {{#nn.dense<2.0 : tensor<2xf32>> is no default of memref<1xf32> [program_c22]}}
driver.program @net inputs ["x"] outputs ["y"] defaults [#nn.dense<2.0 : tensor<2xf32>>] {
^bb0(%x: memref<1xf32>, %y: memref<1xf32>):
}
