// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What a program asks of its open extent.

// expected-error@+1 {{open arguments are told by 2 numbers, 0 or 1, found [1] [program_c9]}}
driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 8> in [1] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
}

// -----

// expected-error@+1 {{open arguments are told by 0 numbers, 0 or 1, found [1, 1] [program_c9]}}
driver.program @net inputs ["x"] outputs ["y"] in [1, 1] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
}

// -----

// expected-error@+1 {{the outermost axis of memref<1x12xf32> is no multiple of 8 [program_c10]}}
driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 8> in [1, 1] {
^bb0(%x: memref<8xf32>, %y: memref<1x12xf32>):
}
