// RUN: autodeploy-opt %s -t c-driver | filecheck %s
// RUN: autodeploy-opt %s -t c-header | filecheck %s --check-prefix HEADER

// A buffer in an output lies behind the first aligned byte there, wherever the caller has it; so do
// its views, and what a call works in.

driver.program @p inputs ["x"] outputs ["y", "z"] arena 0 weights 0 {
^bb0(%x: memref<16xf32>, %y: memref<64xf32>, %z: memref<128xf32>):
  %a = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<16xf32>
  driver.copy %x to %a : memref<16xf32> to memref<16xf32>
  %b = driver.buffer {offset = 64 : i64, output = 0 : i64} : memref<16xf32>
  driver.copy %a to %b : memref<16xf32> to memref<16xf32>
  %v = driver.view %b {offset = 8 : i64} : memref<16xf32> to memref<8xf32>
  %c = driver.view %y : memref<64xf32> to memref<8xf32>
  driver.copy %v to %c : memref<8xf32> to memref<8xf32>
  driver.call @k() to (%c) {scratch = 128 : i64, scratch_output = 1 : i64} : () to (memref<8xf32>)
}

halide.pipeline @k() to (%y: !halide.buffer<f32, [8]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK:      {IN_CALLER, 0, {halide_type_float, 32, 1}, 1, shape_16}, /* ARENA_A */
// CHECK:      static uint8_t *aligned(uint8_t *output)
// CHECK:          buffers[ARENA_A].host = aligned(buffers[OUTPUT_Y].host);
// CHECK-NEXT:     memcpy(buffers[ARENA_A].host, buffers[INPUT_X].host, 64);
// CHECK-NEXT:     buffers[ARENA_B].host = aligned(buffers[OUTPUT_Y].host) + 64;
// CHECK-NEXT:     memcpy(buffers[ARENA_B].host, buffers[ARENA_A].host, 64);
// CHECK-NEXT:     /* another shape of the same bytes */
// CHECK-NEXT:     buffers[VIEW_V].host = buffers[ARENA_B].host + 32;
// CHECK:          autodeploy_runtime_work_in(runtime, aligned(buffers[OUTPUT_Z].host) + 128, 128);

// HEADER:     #define P_ARENA_BYTES 64
// HEADER:      * Outputs hold intermediate tensors before they are written, so that the arena is smaller:
