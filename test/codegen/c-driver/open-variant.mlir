// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// Of a program for one of several machines with an open extent: what is open in it.

driver.program @net inputs ["x"] outputs ["y"] arena 0 weights 0 x86_sets ["avx"] variant "x86-64-avx" open <"n", 4 to 8 by 4> in [array<i64: 4, 0>, array<i64: 4, 0>] {
^bb0(%x: memref<32x3xf32>, %y: memref<32x3xf32>):
  driver.copy %x to %y : memref<32x3xf32> to memref<32x3xf32>
}

// CHECK:           memcpy(buffers[OUTPUT_Y].host, buffers[INPUT_X].host, 48 * (size_t)context->extents[0]);
// CHECK:       static const char *const used_sets[] = {"avx", NULL};
// CHECK:       static const int64_t own_input_shape_0[] = {32, 3};
// CHECK-NEXT:  static const int64_t own_output_shape_0[] = {32, 3};
// CHECK:       static const open_shape open_shapes[] = {
// CHECK-NEXT:      {shape_32x3, 0, 2},
// CHECK:       const net_program net_program_x86_64_avx = {
// CHECK-NEXT:      "x86-64-avx", used_sets, 1,
// CHECK-NEXT:      BUFFER_COUNT, buffer_places,
// CHECK-NEXT:      {open_shapes, 1, open_ends, 1, input_shapes, input_axes,
// CHECK-NEXT:       output_shapes, output_axes},
// CHECK-NEXT:      compute,
// CHECK-NEXT:  };
// CHECK-NOT:   net_init(
