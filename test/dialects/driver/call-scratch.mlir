// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A call says where in the arena its kernel works, at a multiple of 64 bytes.

halide.pipeline @k() to (%y: !halide.buffer<f32, [4]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  driver.call @k() to (%y) {scratch = 64 : i64} : () to (memref<4xf32>)
}

// Or where in an output, which has room for it.

driver.program @beside inputs [] outputs ["y", "z"] {
^bb0(%y: memref<4xf32>, %z: memref<64xf32>):
  driver.call @k() to (%y) {scratch = 64 : i64, scratch_output = 1 : i64} : () to (memref<4xf32>)
}

// CHECK: driver.call @k() to (%y) {scratch = 64 : i64} : () to (memref<4xf32>)
// CHECK: driver.call @k() to (%y) {scratch = 64 : i64, scratch_output = 1 : i64} : () to (memref<4xf32>)
