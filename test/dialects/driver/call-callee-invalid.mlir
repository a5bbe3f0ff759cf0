// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// The callee of a call: a kernel of the module, whose inputs and outputs have the operands' types
// and open axes. An input may be given whole.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'missing' is no halide.pipeline in scope [call_c1]}}
  driver.call @missing(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'net' is no halide.pipeline in scope [call_c1]}}
  driver.call @net(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<2x2xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'k' takes (!halide.buffer<f32, [4]>) to (!halide.buffer<f32, [4]>), found (!halide.buffer<f32, [2, 2]>) to (!halide.buffer<f32, [4]>) [call_c2]}}
  driver.call @k(%x) to (%y) : (memref<2x2xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xi32>):
  // expected-error@+1 {{found (!halide.buffer<f32, [4]>) to (!halide.buffer<i32, [4]>) [call_c2]}}
  driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xi32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs [] outputs ["y", "z"] {
^bb0(%y: memref<4xf32>, %z: memref<4xf32>):
  // expected-error@+1 {{'k' takes (!halide.buffer<f32, [4]>) to (!halide.buffer<f32, [4]>), found () to (!halide.buffer<f32, [4]>, !halide.buffer<f32, [4]>) [call_c2]}}
  driver.call @k() to (%y, %z) : () to (memref<4xf32>, memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] open <"batch", 1 to 4> in [array<i64: 1>, array<i64: 1>] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'k' takes memref<4xf32> with open axes [0], found [1] [call_c5]}}
  driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1]] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] open <"batch", 1 to 4> in [array<i64: 0>, array<i64: 0>] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'k' takes memref<4xf32> with open axes [1], found [0] [call_c5]}}
  driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1]] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] open <"batch", 1 to 4> in [array<i64: 1>, array<i64: 0>] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{'k' takes memref<4xf32> with open axes [1], found [0] [call_c5]}}
  driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}
