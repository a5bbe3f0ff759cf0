// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a part has a range of numbers that are not negative, found 3 to 2 by 1 [part_c1]}}
builtin.module attributes {driver.part = #driver.part<"n", 3 to 2>} {}

// -----

// expected-error@+1 {{a part has a range of numbers that are not negative, found -1 to 2 by 1 [part_c1]}}
builtin.module attributes {driver.part = #driver.part<"n", -1 to 2>} {}

// -----

// expected-error@+1 {{a part has a range of numbers that are not negative, found 1 to 2 by 0 [part_c1]}}
builtin.module attributes {driver.part = #driver.part<"n", 1 to 2 by 0>} {}

// -----

// expected-error@+1 {{names of numbers differ, found 'n', 'n' [part_c2]}}
builtin.module attributes {driver.part = #driver.part<"n", 1 to 2, "n", 3 to 3>} {}

// -----

// expected-error@+1 {{a program for a part has a name and the open extents of the part, found none [program_c14]}}
driver.program @net inputs ["x"] outputs ["y"] part <"n", 2 to 2> {
^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
}

// -----

// expected-error@+1 {{a program for a part has a name and the open extents of the part, found 'n' [program_c14]}}
driver.program @net inputs ["x"] outputs ["y"] variant "n=2" part <"n", 2 to 2> open <"n", 1 to 2> in [array<i64: 1>, array<i64: 1>] {
^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
}

// -----

// expected-error@+1 {{a program for a part has a name and the open extents of the part, found none [program_c14]}}
driver.program @net inputs ["x"] outputs ["y"] variant "n=1..2" part <"n", 1 to 2> {
^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
}
