// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A program says which number each run is given, in steps, and how many elements for each the axes of arguments and of
// buffers have. An argument that has it inside of other axes, or along several, is copied. A view has the open axes of
// its source at the same strides, or what is there for the least number.

driver.program @net inputs ["x", "w"] outputs ["y"] open <"batch", 1 to 8> in [array<i64: 1, 0>, array<i64: 0>, array<i64: 0, 2>] {
^bb0(%x: memref<8x2xf32>, %w: memref<2xf32>, %y: memref<1x16xf32>):
  %b = driver.buffer open array<i64: 2> : memref<16xf32>
  %s = driver.buffer open array<i64: 0, 1, 2> : memref<3x8x16xf32>
  %v = driver.view %s : memref<3x8x16xf32> to memref<8x3x8x2xf32, strided<[16, 128, 2, 1]>>
}

driver.program @first inputs ["x"] outputs [] open <"n", 3 to 8> in [array<i64: 1, 0>] {
^bb0(%x: memref<8x2xf32>):
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  %v = driver.view %x {offset = 2 : i64} : memref<8x2xf32> to memref<2x2xf32>
  %w = driver.view %b {offset = 8 : i64} : memref<3x8xf32> to memref<2x2xf32, strided<[8, 2]>>
}

driver.program @inside inputs ["x"] outputs ["y"] open <"n", 3 to 8> in [array<i64: 0, 1>, array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>, %y: memref<3x8xf32>):
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  driver.copy %x to %b : memref<3x8xf32> to memref<3x8xf32>
  driver.copy %b to %y : memref<3x8xf32> to memref<3x8xf32>
}

driver.program @images inputs ["x"] outputs [] open <"size", 5 to 16 by 32> in [array<i64: 0, 32, 32>] {
^bb0(%x: memref<3x512x512xf32>):
  %b = driver.buffer open array<i64: 0, 32, 32> : memref<3x512x512xf32>
  driver.copy %x to %b : memref<3x512x512xf32> to memref<3x512x512xf32>
}

driver.program @rest inputs ["x"] outputs ["y"] open <"n", 5 to 8> in [array<i64: 1, 0>, affine_map<(n) -> ((n - 2) floordiv 3 * 2)>] {
^bb0(%x: memref<8x2xf32>, %y: memref<4xf32>):
  %b = driver.buffer open affine_map<(n) -> ((n - 2) floordiv 3, 0)> : memref<2x2xf32>
  %v = driver.view %b : memref<2x2xf32> to memref<4xf32>
  driver.copy %v to %y : memref<4xf32> to memref<4xf32>
}

// CHECK:      driver.program @net inputs ["x", "w"] outputs ["y"] open <"batch", 1 to 8> in [array<i64: 1, 0>, array<i64: 0>, array<i64: 0, 2>] {
// CHECK:        %b = driver.buffer open array<i64: 2> : memref<16xf32>
// CHECK:        %s = driver.buffer open array<i64: 0, 1, 2> : memref<3x8x16xf32>
// CHECK:      driver.program @first inputs ["x"] outputs [] open <"n", 3 to 8> in [array<i64: 1, 0>] {
// CHECK:      driver.program @inside inputs ["x"] outputs ["y"] open <"n", 3 to 8> in [array<i64: 0, 1>, array<i64: 0, 1>] {
// CHECK:      driver.program @images inputs ["x"] outputs [] open <"size", 5 to 16 by 32> in [array<i64: 0, 32, 32>] {
// CHECK:      driver.program @rest inputs ["x"] outputs ["y"] open <"n", 5 to 8> in [array<i64: 1, 0>, affine_map<(d0) -> ((((d0 + -2) floordiv 3) * 2))>] {
// CHECK:        %b = driver.buffer open affine_map<(d0) -> (((d0 + -2) floordiv 3), 0)> : memref<2x2xf32>

// A view of an input that has all elements in each run may say that a kernel reads the first ones of a run.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1]] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @whole inputs ["x"] outputs ["y"] open <"batch", 1 to 4> in [array<i64: 0>, array<i64: 1>] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %v = driver.view %x {open = array<i64: 1>} : memref<4xf32> to memref<4xf32>
  driver.call @k(%v) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK:      driver.program @whole inputs ["x"] outputs ["y"] open <"batch", 1 to 4> in [array<i64: 0>, array<i64: 1>] {
// CHECK:        %v = driver.view %x {open = array<i64: 1>} : memref<4xf32> to memref<4xf32>
// CHECK:        driver.call @k(%v) to (%y) : (memref<4xf32>) to (memref<4xf32>)
