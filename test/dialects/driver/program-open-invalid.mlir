// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What a program asks of its open extent.

// expected-error@+1 {{open arguments say how [1, 1] axes grow, found [[1]] [program_c9]}}
driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 8> in [array<i64: 1>] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
}

// -----

// expected-error@+1 {{open arguments say how [] axes grow, found [[1], [1]] [program_c9]}}
driver.program @net inputs ["x"] outputs ["y"] in [array<i64: 1>, array<i64: 1>] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
}

// -----

// expected-error@+1 {{the axes of memref<1x12xf32> do not grow as [0, 1] within the range [program_c10]}}
driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 8> in [array<i64: 1>, array<i64: 0, 1>] {
^bb0(%x: memref<8xf32>, %y: memref<1x12xf32>):
}

// -----

// expected-error@+1 {{the axes of memref<2xf32> do not grow as [(n - 2) / 3] within the range [program_c10]}}
driver.program @net inputs ["x"] outputs ["y"] open <"n", 3 to 8> in [array<i64: 1>, affine_map<(n) -> ((n - 2) floordiv 3)>] {
^bb0(%x: memref<8xf32>, %y: memref<2xf32>):
}

// -----

// expected-error@+1 {{memref<24xf32> has no axis for one that is open in its source, or other extents of it [program_c11]}}
driver.program @net inputs [] outputs [] open <"n", 1 to 8> in [] {
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  %v = driver.view %b : memref<3x8xf32> to memref<24xf32>
}

// -----

// expected-error@+1 {{memref<3x2xf32, strided<[8, 3]>> has no axis for one that is open in its source, or other extents of it [program_c11]}}
driver.program @net inputs [] outputs [] open <"n", 3 to 8> in [] {
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  %v = driver.view %b : memref<3x8xf32> to memref<3x2xf32, strided<[8, 3]>>
}

// -----

driver.program @net inputs [] outputs [] open <"n", 1 to 8> in [] {
  // expected-error@+1 {{open says how 1 axes of memref<3x8xf32> grow [buffer_c1]}}
  %b = driver.buffer open array<i64: 1> : memref<3x8xf32>
}

// -----

// expected-error@+1 {{open arguments say how [2] axes grow, found [[1]] [program_c9]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 1>] {
^bb0(%x: memref<3x8xf32>):
}

// -----

// expected-error@+1 {{memref<3x8xf32> has an open axis inside of others and is only copied, joined or read, found driver.view [program_c12]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %v = driver.view %x {offset = 8} : memref<3x8xf32> to memref<1x8xf32>
}

// -----

// expected-error@+1 {{memref<3x8xf32> has an open axis inside of others and is only copied, joined or read, found driver.view [program_c12]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %v = driver.view %x : memref<3x8xf32> to memref<2x8xf32, strided<[16, 1]>>
}

// -----

// expected-error@+1 {{memref<3x8xf32> has an open axis inside of others and is only copied, joined or read, found driver.library_call [program_c12]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %b = driver.buffer : memref<3x8xf32>
  driver.library_call "f"(%x) to (%b) {parameters = array<i64>} : (memref<3x8xf32>) to (memref<3x8xf32>)
}

// -----

// The source has 8 rows for the largest number, the target room for one more of its least.
// expected-error@+1 {{memref<8x3xf32> from 2 on does not fit into memref<10x3xf32> in each run [program_c16]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 1, 0>] {
^bb0(%x: memref<8x3xf32>):
  %b = driver.buffer open affine_map<(n) -> (n + 2, 0)> : memref<10x3xf32>
  driver.join %x to %b from 2 on 0 behind array<i64: 2> : memref<8x3xf32> to memref<10x3xf32>
}

// -----

// expected-error@+1 {{memref<8x3xf32> from 2 on does not fit into memref<10x3xf32> in each run [program_c16]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 0>] {
^bb0(%x: memref<8x3xf32>):
  %b = driver.buffer open affine_map<(n) -> (n + 2, 0)> : memref<10x3xf32>
  driver.join %x to %b from 2 on 0 : memref<8x3xf32> to memref<10x3xf32>
}

// -----

// Rows inside of the axis are open, too.
// expected-error@+1 {{memref<3x8xf32> from 0 on does not fit into memref<4x8xf32> in each run [program_c16]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %b = driver.buffer open array<i64: 0, 1> : memref<4x8xf32>
  driver.join %x to %b from 0 on 0 : memref<3x8xf32> to memref<4x8xf32>
}

// -----

// expected-error@+1 {{memref<8x3xf32> from 2 on does not fit into memref<10x3xf32> in each run [program_c16]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<8x3xf32>):
  %b = driver.buffer : memref<10x3xf32>
  driver.join %x to %b from 2 on 0 behind array<i64: 1> : memref<8x3xf32> to memref<10x3xf32>
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [8, 3]>) to (%y: !halide.buffer<f32, [8, 3]>) open [[1, 0], [1, 0]] {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [8, 3]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 3]>
}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  // expected-error@+1 {{'k' takes [] without gaps, found [0] [call_c6]}}
  driver.call @k(%x) to (%b) : (memref<3x8xf32>) to (memref<3x8xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [8, 3]>) to (%y: !halide.buffer<f32, [8, 3]>) open [[1, 0], [1, 0]] packed [0] {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [8, 3]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 3]>
}
driver.program @net inputs ["x"] outputs [] open <"n", 0 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  // expected-error@+1 {{'k' reads operand 0, which may have no elements [call_c7]}}
  driver.call @k(%x) to (%b) : (memref<3x8xf32>) to (memref<3x8xf32>)
}

// -----

// expected-error@+1 {{memref<3x8xf32> has an open axis inside of others and is only copied, joined or read, found driver.copy [program_c12]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>):
  %b = driver.buffer : memref<3x8xf32>
  driver.copy %x to %b : memref<3x8xf32> to memref<3x8xf32>
}

// -----

// expected-error@+1 {{4 steps do not grow as 1 [program_c15]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 5> in [array<i64: 1>] {
^bb0(%x: memref<5xf32>):
  driver.for steps 4 open array<i64: 1> {
  }
}

// -----

driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8> in [array<i64: 0>] {
^bb0(%x: memref<8xf32>):
  // expected-error@+1 {{open says how 2 axes of memref<8xf32> grow [view_c3]}}
  %v = driver.view %x {open = array<i64: 0, 1>} : memref<8xf32> to memref<8xf32>
}

// -----

// Of an input that is all there in each run, a view says how many elements a kernel reads.
halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1]] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 4> in [array<i64: 0>, array<i64: 1>] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'k' takes memref<4xf32> with open axes [1], found [0] [call_c5]}}
  driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

// A view says of an open axis what its source says: it has no more elements in any run.
// expected-error@+1 {{memref<8xf32> has no axis for one that is open in its source, or other extents of it [program_c11]}}
driver.program @net inputs ["x"] outputs [] open <"n", 1 to 8, "m", 1 to 8> in [array<i64: 1>] {
^bb0(%x: memref<8xf32>):
  %v = driver.view %x {open = affine_map<(d0, d1) -> (d1)>} : memref<8xf32> to memref<8xf32>
}
