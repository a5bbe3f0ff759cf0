// RUN: autodeploy-opt -t c-driver %s | filecheck %s

// The device of a program in C: its blocks, arrays that kernels pass on among them, the starts of each kernel with their
// blocks, and the steps. A weight that both sides read has a place in both tables.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @two(%x: !halide.buffer<f32, [4]>, %w: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 1024 on_device arrays [16, 4] launches [#halide.launch<"net_two_0", grid = [2, 1, 1], block = [64, 2, 1], shared = 0, args = [3, 0]>, #halide.launch<"net_two_1", grid = [1, 3, 1], block = [1, 1, 1], shared = 256, args = [3, 4, 1, 2]>] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @here(%x: !halide.buffer<f32, [4]>, %w: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] arena 64 weights 64 device_arena 2560 {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> {offset = 0 : i64} : memref<4xf32>
    %wd = driver.weight #nn.dense<0.5 : tensor<4xf32>> on_device {offset = 0 : i64} : memref<4xf32>
    %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
    %b = driver.buffer on_device {offset = 512 : i64} : memref<8xf32>
    %h = driver.buffer {offset = 0 : i64} : memref<8xf32>
    driver.transfer %x to %a : memref<4xf32> to memref<4xf32>
    %v = driver.view %b {offset = 4 : i64} : memref<8xf32> to memref<4xf32>
    driver.call @two(%a, %wd) to (%v) {scratch = 1024 : i64} : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
    driver.transfer %b to %h : memref<8xf32> to memref<8xf32>
    %part = driver.view %h {offset = 4 : i64} : memref<8xf32> to memref<4xf32>
    driver.call @here(%part, %w) to (%y) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      #include "autodeploy_device.h"
// CHECK:          DEVICE_WEIGHT_WD,
// CHECK-NEXT:     DEVICE_ARENA_A,
// CHECK-NEXT:     DEVICE_ARENA_B,
// CHECK-NEXT:     DEVICE_SCRATCH_3,
// CHECK-NEXT:     DEVICE_SCRATCH_4
// CHECK-NEXT: };
// CHECK:      static const autodeploy_device_block device_blocks[] = {
// CHECK-NEXT:     {1, 0, 16}, /* DEVICE_WEIGHT_WD */
// CHECK-NEXT:     {0, 0, 16}, /* DEVICE_ARENA_A */
// CHECK-NEXT:     {0, 512, 32}, /* DEVICE_ARENA_B */
// CHECK-NEXT:     {0, 1024, 16}, /* DEVICE_SCRATCH_3 */
// CHECK-NEXT:     {0, 1536, 4}, /* DEVICE_SCRATCH_4 */
// CHECK-NEXT: };
// CHECK:      static const int device_arguments[] = {
// CHECK-NEXT:     DEVICE_SCRATCH_3,
// CHECK-NEXT:     DEVICE_ARENA_A,
// CHECK-NEXT:     DEVICE_SCRATCH_3,
// CHECK-NEXT:     DEVICE_SCRATCH_4,
// CHECK-NEXT:     DEVICE_WEIGHT_WD,
// CHECK-NEXT:     DEVICE_ARENA_B};
// CHECK:      static const autodeploy_device_start device_starts[] = {
// CHECK-NEXT:     {"net_two_0", {2, 1, 1}, {64, 2, 1}, 0, 0, 2},
// CHECK-NEXT:     {"net_two_1", {1, 3, 1}, {1, 1, 1}, 256, 2, 4},
// CHECK-NEXT: };
// CHECK:      extern const char *const net_kernel_lines[];
// CHECK:      static const autodeploy_device_program device_program = {
// CHECK-NEXT:     net_kernel_lines, 2560,
// CHECK:          {IN_CALLER, 0, {halide_type_float, 32, 1}, 1, shape_4}, /* INPUT_X */
// CHECK-NEXT:     {IN_CALLER, 0, {halide_type_float, 32, 1}, 1, shape_4}, /* OUTPUT_Y */
// CHECK-NEXT:     {IN_WEIGHTS, 0, {halide_type_float, 32, 1}, 1, shape_4}, /* WEIGHT_W */
// CHECK-NEXT:     {IN_ARENA, 0, {halide_type_float, 32, 1}, 1, shape_8}, /* ARENA_H */
// CHECK-NEXT:     {IN_ARENA, 16, {halide_type_float, 32, 1}, 1, shape_4}, /* VIEW_PART */
// CHECK-NEXT: };
// The processor reads a weight, so the context keeps the content of the file.
// CHECK:      status = open_device(made, options, weights);
// CHECK-NOT:  free(made->owned_weights);
// CHECK:      *context = made;
// CHECK:      if (autodeploy_device_write(device, DEVICE_ARENA_A, buffers[INPUT_X].host, 16) != 0) {
// CHECK-NEXT:     return device_failed(context);
// CHECK-NEXT: }
// CHECK-NEXT: if (autodeploy_device_run(device, 0, 2) != 0) {
// CHECK-NEXT:     return device_failed(context);
// CHECK-NEXT: }
// CHECK-NEXT: if (autodeploy_device_read(device, DEVICE_ARENA_B, buffers[ARENA_H].host, 32) != 0) {
// CHECK-NEXT:     return device_failed(context);
// CHECK-NEXT: }
// CHECK:      code = net_here(runtime, &buffers[VIEW_PART], &buffers[WEIGHT_W], &buffers[OUTPUT_Y]);
