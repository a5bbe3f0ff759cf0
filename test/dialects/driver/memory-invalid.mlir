// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Weights, buffers and views: offsets are multiples of 64, bytes are those of the type, views lie
// inside of their source.

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{an offset is a multiple of 64 and not negative, found 4 [offset_c1]}}
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> {offset = 4 : i64} : memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{an offset is a multiple of 64 and not negative, found -64 [offset_c1]}}
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> {offset = -64 : i64} : memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{tensor<4xf32> is not in a memref<2x2xf32> [weight_c1]}}
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<2x2xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{an offset is a multiple of 64 and not negative, found 65 [offset_c1]}}
  %a = driver.buffer {offset = 65 : i64} : memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{an offset is a multiple of 64 and not negative, found -64 [offset_c1]}}
  %a = driver.buffer {offset = -64 : i64} : memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{expected a dense memref, found memref<2x2xf32, strided<[1, 2]>> [memref_c1]}}
  %a = driver.buffer : memref<2x2xf32, strided<[1, 2]>>
}

// -----

driver.program @net inputs [] outputs [] {
  // expected-error@+1 {{expected a static shape and a number type, found memref<?xf32> [memref_c2]}}
  %a = driver.buffer : memref<?xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  // expected-error@+1 {{memref<5xf32> is not inside of memref<4xf32> [view_c2]}}
  %b = driver.view %a : memref<4xf32> to memref<5xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<8xf32>
  // expected-error@+1 {{memref<4xf32> is not inside of memref<8xf32> [view_c2]}}
  %b = driver.view %a {offset = 5 : i64} : memref<8xf32> to memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<8xf32>
  // expected-error@+1 {{memref<2x4xf32, strided<[5, 1]>> is not inside of memref<8xf32> [view_c2]}}
  %b = driver.view %a : memref<8xf32> to memref<2x4xf32, strided<[5, 1]>>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<8xf32>
  // expected-error@+1 {{memref<4xf32> is not inside of memref<8xf32> [view_c2]}}
  %b = driver.view %a {offset = -4 : i64} : memref<8xf32> to memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<8xf32>
  // expected-error@+1 {{memref<8xf32> holds no i32 [view_c1]}}
  %b = driver.view %a : memref<8xf32> to memref<8xi32>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  // expected-error@+1 {{expected a stride for each axis and no offset, found memref<2x2xf32, strided<[1, 2], offset: 1>> [memref_c3]}}
  %b = driver.view %a : memref<4xf32> to memref<2x2xf32, strided<[1, 2], offset: 1>>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  // expected-error@+1 {{expected a stride for each axis and no offset, found memref<2x2xf32, strided<[?, 1]>> [memref_c3]}}
  %b = driver.view %a : memref<4xf32> to memref<2x2xf32, strided<[?, 1]>>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  // expected-error@+1 {{expected no layout for a dense memref, found memref<2x2xf32, strided<[2, 1]>> [memref_c4]}}
  %b = driver.view %a : memref<4xf32> to memref<2x2xf32, strided<[2, 1]>>
}

// -----

// expected-error@+1 {{expected driver.program or driver.for or driver.if around, found builtin.module [parent_c1]}}
%a = driver.buffer : memref<4xf32>

// -----

driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<32xf32>):
  // expected-error@+1 {{no offset in output 0 [buffer_c2]}}
  %a = driver.buffer {output = 0 : i64} : memref<16xf32>
}

// -----

// Of 128 bytes 64 are sure to follow an aligned byte.

// expected-error@+1 {{output 0 has no room for 68 bytes [program_c17]}}
driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<32xf32>):
  %a = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<16xf32>
  %b = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<17xf32>
}

// -----

// expected-error@+1 {{output 0 has no room for 4 bytes [program_c17]}}
driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<32xf32>):
  %a = driver.buffer {offset = 64 : i64, output = 0 : i64} : memref<1xf32>
}

// -----

// expected-error@+1 {{output 1 has no room for 4 bytes [program_c17]}}
driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<32xf32>):
  %a = driver.buffer {offset = 0 : i64, output = 1 : i64} : memref<1xf32>
}

// -----

// The caller's memory for %y is as large as a run needs it.

// expected-error@+1 {{output 0 has no room for 4 bytes [program_c17]}}
driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 4> in [array<i64: 1, 0>, array<i64: 1, 0>] {
^bb0(%x: memref<4x32xf32>, %y: memref<4x32xf32>):
  %a = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<1xf32>
}

// -----

// Nor is what holds the extents of %y the caller's.

// expected-error@+1 {{output 1 has no room for 4 bytes [program_c17]}}
driver.program @net inputs [] outputs ["y", "shape"] shapes_of [array<i64: 0, 0>] {
^bb0(%y: memref<32xf32>, %s: memref<1xi64>):
  %a = driver.buffer {offset = 0 : i64, output = 1 : i64} : memref<1xf32>
}
