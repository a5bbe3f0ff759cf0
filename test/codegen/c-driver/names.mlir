// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// Names of the network never break out of where they stand, and never meet.

driver.program @"halide" inputs ["a b", "a_b", "*/ \\ \22??/"] outputs ["int"] arena 64 weights 0 {
^bb0(%a: memref<1xf32>, %b: memref<1xf32>, %c: memref<1xf32>, %y: memref<1xf32>):
  driver.copy %c to %y : memref<1xf32> to memref<1xf32> loc("*/ evil(); /*")
}

// CHECK:      The network "halide".
// CHECK:      #include "halide_model.h"
// CHECK:      INPUT_A_B,
// CHECK-NEXT: INPUT_A_B_2,
// CHECK-NEXT: INPUT,
// CHECK-NEXT: OUTPUT_INT,
// CHECK:      {"a b", HALIDE_MODEL_FLOAT32, 1, input_shape_0, 4},
// CHECK-NEXT: {"a_b", HALIDE_MODEL_FLOAT32, 1, input_shape_1, 4},
// CHECK-NEXT: {"*/ \\ \"\?\?/", HALIDE_MODEL_FLOAT32, 1, input_shape_2, 4},
// CHECK:      /* * / evil(); / * */
// CHECK-NEXT: memcpy(
// CHECK:      halide_model_context *context, const float *in_a_b, const float *in_a_b_2, const float *in,
// CHECK-NEXT: float *out_int)
