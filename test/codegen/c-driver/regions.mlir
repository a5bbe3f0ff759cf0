// RUN: autodeploy-opt --place-weights --plan-memory %s -t c-driver | filecheck %s

// Loops and choices are loops and choices of C. Rows, and views of what a loop exchanges, find
// their place in each step.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x", "n"] outputs ["y"] {
^bb0(%x: memref<5x4xf32>, %n: memref<i64>, %y: memref<5x4xf32>):
  %a = driver.buffer : memref<2x2xf32>
  %b = driver.buffer : memref<2x2xf32>
  %i = driver.buffer : memref<i64>
  %go = driver.buffer : memref<i1>
  driver.for steps 5 trips %n : memref<i64> while %go : memref<i1> counter %i : memref<i64> exchange %a with %b : memref<2x2xf32> with memref<2x2xf32> {
    %row = driver.row %y backwards : memref<5x4xf32> to memref<4xf32>
    %flat = driver.view %a : memref<2x2xf32> to memref<4xf32>
    driver.if %go : memref<i1> {
      driver.call @k(%flat) to (%row) : (memref<4xf32>) to (memref<4xf32>)
    } else {
      driver.for steps 2 {
        driver.copy %a to %b : memref<2x2xf32> to memref<2x2xf32>
      }
    }
    driver.if %go : memref<i1> {
      driver.copy %a to %b : memref<2x2xf32> to memref<2x2xf32>
    } else {
    }
  }
}

// CHECK:      static void exchange(halide_buffer_t *one, halide_buffer_t *other)
// CHECK:          for (int64_t step_0 = 0;
// CHECK-NEXT:          step_0 < 5
// CHECK-NEXT:              && step_0 < *(const int64_t *)(const void *)buffers[INPUT_N].host
// CHECK-NEXT:              && *buffers[ARENA_GO].host != 0;
// CHECK-NEXT:          ++step_0) {
// CHECK-NEXT:         *(int64_t *)(void *)buffers[ARENA_I].host = step_0;
// CHECK-NEXT:         buffers[ROW_ROW].host = buffers[OUTPUT_Y].host + (4 - step_0) * 16;
// CHECK-NEXT:         /* another shape of the same bytes */
// CHECK-NEXT:         buffers[VIEW_FLAT].host = buffers[ARENA_A].host;
// CHECK-NEXT:         if (*buffers[ARENA_GO].host != 0) {
// CHECK-NEXT:             code = net_k(runtime, &buffers[VIEW_FLAT], &buffers[ROW_ROW]);
// CHECK-NEXT:             if (code != 0) {
// CHECK-NEXT:                 return kernel_failed(context, "net_k", code);
// CHECK-NEXT:             }
// CHECK-NEXT:         } else {
// CHECK-NEXT:             for (int64_t step_1 = 0; step_1 < 2; ++step_1) {
// CHECK-NEXT:                 memcpy(buffers[ARENA_B].host, buffers[ARENA_A].host, 16);
// CHECK-NEXT:             }
// CHECK-NEXT:         }
// CHECK-NEXT:         if (*buffers[ARENA_GO].host != 0) {
// CHECK-NEXT:             memcpy(buffers[ARENA_B].host, buffers[ARENA_A].host, 16);
// CHECK-NEXT:         }
// CHECK-NEXT:         exchange(&buffers[ARENA_A], &buffers[ARENA_B]);
// CHECK-NEXT:     }
// CHECK-NEXT:     return NET_OK;
