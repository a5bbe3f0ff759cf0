// RUN: autodeploy-opt %s --plan-memory --place-weights --target c-driver | filecheck %s

// A table has the places of what is kept, and of rows how often they occur. Another one states which number of a run
// they are, for how many there is memory, and how many a run leaves.

// CHECK:      IN_STATE, /* kept from run to run */
// CHECK:      {IN_STATE, 0, {halide_type_float, 32, 1}, 3, shape_3x4x9, -1}, /* STATE_PAST */
// CHECK:      {IN_STATE, 0, {halide_type_float, 32, 1}, 3, shape_3x4x9, 0}, /* VIEW_ALL */
// CHECK:      uint8_t *state; /* what is kept from run to run, after the arena */
// CHECK-NEXT: int64_t rows[STATE_NUMBER_COUNT];
// CHECK:      static const int32_t state_places[STATE_NUMBER_COUNT] = {0};
// CHECK:      static const kept_state kept_states[] = {
// CHECK-NEXT:     {0, 0, 3, 4, 36}, /* present */
// CHECK-NEXT:     {448, -1, 1, 1, 16}, /* hn */
// CHECK-NEXT: };
// CHECK:      static const state_number state_numbers[STATE_NUMBER_COUNT] = {
// CHECK-NEXT:     {0, 4, {{[{][{]}}1}, 1, 1, 1}},
// CHECK:      for (size_t part = 0; part < 3; ++part) {
// CHECK-NEXT:     memcpy(
// CHECK-NEXT:         buffers[VIEW_ALL].host + part * 144 + 36 * (size_t)context->extents[0],
// CHECK:      status = check_rows(context);
// CHECK:      count_rows(context);
driver.program @net inputs ["new"] outputs ["y"] open <"n", 0 to 3> in
    [array<i64: 0, 0, 0>, array<i64: 0>] {
^bb0(%new: memref<3x1x9xf32>, %y: memref<4xf32>):
  %past, %present = driver.state "past" from "present" rows affine_map<(n) -> (n, n + 1)> on 1 : memref<3x4x9xf32>
  %h, %hn = driver.state "h" from "hn" : memref<4xf32>
  %all = driver.view %present {open = affine_map<(n) -> (0, n + 1, 0)>} : memref<3x4x9xf32> to memref<3x4x9xf32>
  driver.join %new to %all from 3 on 1 behind array<i64: 1> : memref<3x1x9xf32> to memref<3x4x9xf32>
  driver.copy %h to %y : memref<4xf32> to memref<4xf32>
  driver.copy %y to %hn : memref<4xf32> to memref<4xf32>
}
