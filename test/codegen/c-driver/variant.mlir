// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// Of a program that is one of several: its tensors and calls, what it is for, no interface.

driver.program @net inputs ["x"] outputs ["y"] arena 0 weights 0 x86_sets ["avx", "avx2"] variant "x86-64-avx2" {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  driver.call @copy(%x) to (%y) : (memref<8xf32>) to (memref<8xf32>)
}

halide.pipeline @copy(%a: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(x %x) : f32 {
    %0 = halide.load %a[%x] : !halide.buffer<f32, [8]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK-NOT:   net_init(
// CHECK:       #include "net_programs.h"
// CHECK:       int net_x86_64_avx2_copy(const void *user_context, halide_buffer_t *, halide_buffer_t *);
// CHECK:       static const place buffer_places[BUFFER_COUNT] = {
// CHECK:       static net_status compute(net_context *context)
// CHECK:           code = net_x86_64_avx2_copy(runtime, &buffers[INPUT_X], &buffers[OUTPUT_Y]);
// CHECK:       static const char *const used_sets[] = {"avx", "avx2", NULL};
// CHECK:       const net_program net_program_x86_64_avx2 = {
// CHECK-NEXT:      "x86-64-avx2", used_sets, 2,
// CHECK-NEXT:      BUFFER_COUNT, buffer_places,
// CHECK-NEXT:      compute,
// CHECK-NEXT:  };
// CHECK-NOT:   net_init(
