// RUN: autodeploy-opt %s -t c-driver --split-input-file --verify-diagnostics

// Programs whose memory is not planned, or not well.

// expected-error@below {{driver.program 'p' has no arena size; plan the memory first}}
driver.program @p inputs [] outputs ["y"] {
^bb0(%y: memref<8xf32>):
}

// -----

// expected-error@below {{driver.program 'p' has no weight size; plan the memory first}}
driver.program @p inputs [] outputs ["y"] arena 0 {
^bb0(%y: memref<8xf32>):
}

// -----

// expected-error@below {{driver.weight has no offset; plan the memory first}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 32 {
^bb0(%y: memref<8xf32>):
  %w = driver.weight #nn.dense<0.0 : tensor<8xf32>> : memref<8xf32>
}

// -----

// expected-error@below {{driver.buffer has no offset; plan the memory first}}
driver.program @p inputs [] outputs ["y"] arena 64 weights 0 {
^bb0(%y: memref<8xf32>):
  %b = driver.buffer : memref<8xf32>
}

// -----

// expected-error@below {{a driver.buffer ends at byte 96 of an arena of 64 bytes}}
driver.program @p inputs [] outputs ["y"] arena 64 weights 0 {
^bb0(%y: memref<8xf32>):
  %b = driver.buffer {offset = 64 : i64} : memref<8xf32>
}

// -----

// expected-error@below {{the driver.weights end at byte 32 of 31}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 31 {
^bb0(%y: memref<8xf32>):
  %w = driver.weight #nn.dense<0.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
}

// -----

// expected-error@below {{the driver.weight at offset 64 overlaps another one}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 128 {
^bb0(%y: memref<8xf32>):
  %v = driver.weight #nn.dense<0.0 : tensor<17xf32>> {offset = 0 : i64} : memref<17xf32>
  %w = driver.weight #nn.dense<0.0 : tensor<8xf32>> {offset = 64 : i64} : memref<8xf32>
}

// -----

// expected-error@below {{two driver.weights are at offset 0}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 128 {
^bb0(%y: memref<8xf32>):
  %v = driver.weight #nn.dense<0.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
  %w = driver.weight #nn.dense<1.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
}

// -----

// expected-error@below {{a driver.call has no place for its scratch; plan the memory first}}
driver.program @p inputs [] outputs ["y"] arena 128 weights 0 {
^bb0(%y: memref<8xf32>):
  driver.call @k() to (%y) : () to (memref<8xf32>)
}
halide.pipeline @k() to (%y: !halide.buffer<f32, [8]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// -----

// expected-error@below {{scratch ends at byte 192 of an arena of 128 bytes}}
driver.program @p inputs [] outputs ["y"] arena 128 weights 0 {
^bb0(%y: memref<8xf32>):
  driver.call @k() to (%y) {scratch = 64 : i64} : () to (memref<8xf32>)
}
halide.pipeline @k() to (%y: !halide.buffer<f32, [8]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}
