// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// The place of scratch memory is one of the places that a buffer may have.

halide.pipeline @k() to (%y: !halide.buffer<f32, [4]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  // expected-error@+1 {{an offset is a multiple of 64 and not negative, found 32 [offset_c1]}}
  driver.call @k() to (%y) {scratch = 32 : i64} : () to (memref<4xf32>)
}

// -----

halide.pipeline @k() to (%y: !halide.buffer<f32, [4]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @net inputs [] outputs ["y", "z"] {
^bb0(%y: memref<4xf32>, %z: memref<64xf32>):
  // expected-error@+1 {{no offset in output 1 [buffer_c2]}}
  driver.call @k() to (%y) {scratch_output = 1 : i64} : () to (memref<4xf32>)
}

// -----

// Of 256 bytes 192 are sure to follow an aligned byte.

halide.pipeline @k() to (%y: !halide.buffer<f32, [4]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
// expected-error@+1 {{output 1 has no room for 100 bytes [program_c17]}}
driver.program @net inputs [] outputs ["y", "z"] {
^bb0(%y: memref<4xf32>, %z: memref<64xf32>):
  driver.call @k() to (%y) {scratch = 128 : i64, scratch_output = 1 : i64} : () to (memref<4xf32>)
}
