// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Pools are parts of the arena, in order.

// expected-error@+1 {{2 pools at [0] of an arena of 64 bytes [program_c23]}}
driver.program @net inputs [] outputs [] arena 64 pools ["a", "b"] starts [0] {
^bb0:
}

// -----

// expected-error@+1 {{0 pools at [0] of an arena of 64 bytes [program_c23]}}
driver.program @net inputs [] outputs [] arena 64 starts [0] {
^bb0:
}

// -----

// expected-error@+1 {{1 pools at [] of an arena of 64 bytes [program_c23]}}
driver.program @net inputs [] outputs [] arena 64 pools ["a"] {
^bb0:
}

// -----

// expected-error@+1 {{1 pools at [64] of an arena of 64 bytes [program_c23]}}
driver.program @net inputs [] outputs [] arena 64 pools ["a"] starts [64] {
^bb0:
}

// -----

// expected-error@+1 {{2 pools at [0, 128] of an arena of 64 bytes [program_c23]}}
driver.program @net inputs [] outputs [] arena 64 pools ["a", "b"] starts [0, 128] {
^bb0:
}

// -----

// expected-error@+1 {{3 pools at [0, 64, 0] of an arena of 64 bytes [program_c23]}}
driver.program @net inputs [] outputs [] arena 64 pools ["a", "b", "c"] starts [0, 64, 0] {
^bb0:
}
