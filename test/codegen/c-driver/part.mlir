// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// Of a program for a part of open extents: what is open in it, by the places of all numbers of a run.

driver.program @net inputs ["x"] outputs ["y"] arena 0 weights 0 variant "h=3,n=16..32" part <"h", 3 to 3, "n", 4 to 8 by 4> open <"n", 4 to 8 by 4> in [array<i64: 4, 0>, array<i64: 4, 0>] {
^bb0(%x: memref<32x3xf32>, %y: memref<32x3xf32>):
  driver.copy %x to %y : memref<32x3xf32> to memref<32x3xf32>
}

// CHECK:       /* The network "net". Its program for h=3,n=16..32.
// CHECK:       #include "net_programs.h"
// CHECK:       static const place buffer_places[BUFFER_COUNT] = {
// CHECK-NEXT:      {IN_CALLER, 0, {halide_type_float, 32, 1}, 2, shape_32x3, 0}, /* INPUT_X */
// CHECK-NEXT:      {IN_CALLER, 0, {halide_type_float, 32, 1}, 2, shape_32x3, 0}, /* OUTPUT_Y */
// CHECK:           memcpy(buffers[OUTPUT_Y].host, buffers[INPUT_X].host, 48 * (size_t)context->extents[1]);
// CHECK:       static const int64_t own_input_shape_0[] = {32, 3};
// CHECK-NEXT:  static const int64_t own_output_shape_0[] = {32, 3};
// CHECK:       static const open_shape open_shapes[] = {
// CHECK-NEXT:      {shape_32x3, 0, 2},
// CHECK:       static const open_end open_ends[] = {
// CHECK-NEXT:      {1, 0, 0, {{[{]}}{0, 4}, 0, 1, 1}},
// CHECK:       static const int64_t *const input_shapes[] = {own_input_shape_0};
// CHECK-NEXT:  static const int64_t *const output_shapes[] = {own_output_shape_0};
// CHECK-NEXT:  static const open_axis input_axes[] = {{[{]}}{0, 0, 0, {{[{]}}{0, 4}, 0, 1, 1{{[}][}]}}, {-1, 0, 0, {{[{]}}{0}, 0, 1, 1{{[}][}][}]}};
// CHECK:       const net_program net_program_h_3_n_16_32 = {
// CHECK-NEXT:      BUFFER_COUNT, buffer_places,
// CHECK-NEXT:      {open_shapes, 1, open_ends, 1, input_shapes, input_axes,
// CHECK-NEXT:       output_shapes, output_axes},
// CHECK-NEXT:      compute,
// CHECK-NEXT:  };
// CHECK-NOT:   net_init(
