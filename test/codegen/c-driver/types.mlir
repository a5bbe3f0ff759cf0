// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// Every element type, scalars, and a program without inputs and kernels.

driver.program @types inputs [] outputs ["a", "b", "c", "d", "e", "f", "g", "h", "i"] arena 0 weights 0 {
^bb0(%a: memref<f64>, %b: memref<0x2xf16>, %c: memref<3xbf16>, %d: memref<i8>, %e: memref<i64>,
     %f: memref<ui16>, %g: memref<ui32>, %h: memref<i1>, %i: memref<i1>):
  driver.copy %h to %i : memref<i1> to memref<i1>
}

// CHECK:      static const halide_dimension_t shape_0x2[] = {{[{][{]}}0, 2, 1, 0}, {0, 0, 2, 0}};
// CHECK-NEXT: static const halide_dimension_t shape_3[] = {{[{][{]}}0, 3, 1, 0}};
// CHECK:      {IN_CALLER, 0, {halide_type_float, 64, 1}, 0, NULL}, /* OUTPUT_A */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_float, 16, 1}, 2, shape_0x2}, /* OUTPUT_B */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_bfloat, 16, 1}, 1, shape_3}, /* OUTPUT_C */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_int, 8, 1}, 0, NULL}, /* OUTPUT_D */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_int, 64, 1}, 0, NULL}, /* OUTPUT_E */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_uint, 16, 1}, 0, NULL}, /* OUTPUT_F */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_uint, 32, 1}, 0, NULL}, /* OUTPUT_G */
// CHECK-NEXT: {IN_CALLER, 0, {halide_type_uint, 1, 1}, 0, NULL}, /* OUTPUT_H */
// CHECK:      {"a", TYPES_FLOAT64, 0, NULL, 8},
// CHECK-NEXT: {"b", TYPES_FLOAT16, 2, output_shape_1, 0},
// CHECK:      {"h", TYPES_BOOL, 0, NULL, 1},
// CHECK-NOT:  kernel_failed
// CHECK:      memcpy(buffers[OUTPUT_I].host, buffers[OUTPUT_H].host, 1);
// CHECK:      return types_run(context, NULL, outputs);
