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
