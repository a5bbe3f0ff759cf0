// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// Calls, copies and views in order, with the nodes that they came from.

driver.program @"mnist-8" inputs ["Input3"] outputs ["Plus214_Output_0"] arena 192 weights 96 {
^bb0(%x: memref<1x1x2x4xf32>, %y: memref<1x8xf32>):
  %w = driver.weight #nn.dense<2.0 : tensor<8xf32>> {offset = 0 : i64} : memref<8xf32>
  %0 = driver.weight #nn.dense<3.0 : tensor<8xf32>> {offset = 64 : i64} : memref<8xf32>
  %flat = driver.view %x : memref<1x1x2x4xf32> to memref<8xf32>
  %1 = driver.buffer {offset = 128 : i64} : memref<8xf32>
  %2 = driver.view %1 : memref<8xf32> to memref<1x8xf32>
  driver.call @add(%flat, %w) to (%1) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>) loc("Plus30")
  driver.copy %2 to %y : memref<1x8xf32> to memref<1x8xf32> loc(fused["Reshape", "Plus214"])
}

halide.pipeline @add(%a: !halide.buffer<f32, [8]>, %b: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(x %x) : f32 {
    %0 = halide.load %a[%x] : !halide.buffer<f32, [8]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK:       #include "mnist_8.h"
// CHECK:       int mnist_8_add(const void *user_context, halide_buffer_t *, halide_buffer_t *, halide_buffer_t *);
// CHECK:       enum {
// CHECK-NEXT:      INPUT_INPUT3,
// CHECK-NEXT:      OUTPUT_PLUS214_OUTPUT_0,
// CHECK-NEXT:      WEIGHT_W,
// CHECK-NEXT:      WEIGHT_1,
// CHECK-NEXT:      VIEW_FLAT,
// CHECK-NEXT:      ARENA_0,
// CHECK-NEXT:      VIEW_1,
// CHECK-NEXT:      BUFFER_COUNT
// CHECK-NEXT:  };
// CHECK:       static const halide_dimension_t shape_1x1x2x4[] = {
// CHECK-NEXT:      {0, 4, 1, 0}, {0, 2, 4, 0}, {0, 1, 8, 0}, {0, 1, 8, 0}};
// CHECK-NEXT:  static const halide_dimension_t shape_1x8[] = {{[{][{]}}0, 8, 1, 0}, {0, 1, 8, 0}};
// CHECK-NEXT:  static const halide_dimension_t shape_8[] = {{[{][{]}}0, 8, 1, 0}};
// CHECK:       static const place buffer_places[BUFFER_COUNT] = {
// CHECK-NEXT:      {IN_CALLER, 0, {halide_type_float, 32, 1}, 4, shape_1x1x2x4}, /* INPUT_INPUT3 */
// CHECK-NEXT:      {IN_CALLER, 0, {halide_type_float, 32, 1}, 2, shape_1x8}, /* OUTPUT_PLUS214_OUTPUT_0 */
// CHECK-NEXT:      {IN_WEIGHTS, 0, {halide_type_float, 32, 1}, 1, shape_8}, /* WEIGHT_W */
// CHECK-NEXT:      {IN_WEIGHTS, 64, {halide_type_float, 32, 1}, 1, shape_8}, /* WEIGHT_1 */
// CHECK-NEXT:      {IN_CALLER, 0, {halide_type_float, 32, 1}, 1, shape_8}, /* VIEW_FLAT */
// CHECK-NEXT:      {IN_ARENA, 128, {halide_type_float, 32, 1}, 1, shape_8}, /* ARENA_0 */
// CHECK-NEXT:      {IN_ARENA, 128, {halide_type_float, 32, 1}, 2, shape_1x8}, /* VIEW_1 */
// CHECK-NEXT:  };
// CHECK:       {"Input3", MNIST_8_FLOAT32, 4, input_shape_0, 32},
// CHECK:       static mnist_8_status compute(mnist_8_context *context)
// CHECK:           /* another shape of the same bytes */
// CHECK-NEXT:      buffers[VIEW_FLAT].host = buffers[INPUT_INPUT3].host;
// CHECK-NEXT:      /* Plus30 */
// CHECK-NEXT:      code = mnist_8_add(runtime, &buffers[VIEW_FLAT], &buffers[WEIGHT_W], &buffers[ARENA_0]);
// CHECK-NEXT:      if (code != 0) {
// CHECK-NEXT:          return kernel_failed(context, "mnist_8_add", code);
// CHECK-NEXT:      }
// CHECK-NEXT:      /* Reshape, Plus214 */
// CHECK-NEXT:      memcpy(buffers[OUTPUT_PLUS214_OUTPUT_0].host, buffers[VIEW_1].host, 32);
// CHECK-NEXT:      return MNIST_8_OK;
// CHECK:           context->buffers[INPUT_INPUT3].host = address(inputs[0]);
// CHECK-NEXT:      context->buffers[OUTPUT_PLUS214_OUTPUT_0].host = address(outputs[0]);
