// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What a program asks of its arguments and sizes.

// expected-error@+1 {{3 names for 2 arguments [program_c1]}}
driver.program @net inputs ["x", "y"] outputs ["z"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
}

// -----

// expected-error@+1 {{1 names for 2 arguments [program_c1]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
}

// -----

// expected-error@+1 {{expected a dense memref, found tensor<4xf32> [memref_c1]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: tensor<4xf32>):
}

// -----

// expected-error@+1 {{expected a dense memref, found memref<4xf32, strided<[2]>> [memref_c1]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32, strided<[2]>>):
}

// -----

// expected-error@+1 {{expected a static shape and a number type, found memref<?xf32> [memref_c2]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<?xf32>):
}

// -----

// expected-error@+1 {{expected a static shape and a number type, found memref<4xindex> [memref_c2]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xindex>):
}

// -----

// expected-error@+1 {{arena is not negative, found -64 bytes [program_c3]}}
driver.program @net inputs [] outputs [] arena -64 {
  %a = driver.buffer : memref<4xf32>
}

// -----

// expected-error@+1 {{weights is not negative, found -1 bytes [program_c3]}}
driver.program @net inputs [] outputs [] weights -1 {
  %a = driver.buffer : memref<4xf32>
}

// -----

// expected-error@+1 {{worker_scratch is not negative, found -1 bytes [program_c3]}}
driver.program @net inputs [] outputs [] threads 2 worker_scratch -1 {
  %a = driver.buffer : memref<4xf32>
}

// -----

// expected-error@+1 {{threads are at least 1, found 0 [program_c4]}}
driver.program @net inputs [] outputs [] threads 0 {
  %a = driver.buffer : memref<4xf32>
}

// -----

// expected-error@+1 {{names are in ASCII, found 'größe' [program_c2]}}
driver.program @net inputs ["größe"] outputs [] {
^bb0(%x: memref<4xf32>):
}

// -----

// expected-error@+1 {{stored types have the bytes of the arguments, found tensor<4xi4> [program_c5]}}
driver.program @net inputs ["x"] outputs [] stored [tensor<4xi4>] {
^bb0(%x: memref<3xui8>):
}

// -----

// expected-error@+1 {{no extents of [1] for 1 outputs [program_c6]}}
driver.program @net inputs [] outputs ["y", "s"] shapes_of [array<i64: 1, 0>] {
^bb0(%y: memref<4xf32>, %s: memref<1xi64>):
}

// -----

// expected-error@+1 {{extents of no output [program_c6]}}
driver.program @net inputs [] outputs ["y", "s"] shapes_of [array<i64>] {
^bb0(%y: memref<4xf32>, %s: memref<1xi64>):
}

// -----

// expected-error@+1 {{memref<2xi64> and [0] do not fit 1 axes [program_c7]}}
driver.program @net inputs [] outputs ["y", "s"] shapes_of [array<i64: 0, 0>] {
^bb0(%y: memref<4xf32>, %s: memref<2xi64>):
}

// -----

// expected-error@+1 {{memref<1xi64> and [1] do not fit 1 axes [program_c7]}}
driver.program @net inputs [] outputs ["y", "s"] shapes_of [array<i64: 0, 1>] {
^bb0(%y: memref<4xf32>, %s: memref<1xi64>):
}
