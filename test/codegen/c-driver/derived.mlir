// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// A derived number is looked up by the numbers of a run that decide it, in a table of its smallest type.

driver.program @net inputs ["a", "b"] outputs ["y"] arena 1280 weights 0
    open <"n", 1 to 3, "m", 2 to 5 by 8 derived ([3, 1] = [3, 1, 2], [3, 4] = [9, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 300])>
    in [affine_map<(n, m) -> (n)>, affine_map<(n, m) -> (m)>, affine_map<(n, m, p, q) -> (q + 1)>] {
^bb0(%a: memref<3xf32>, %b: memref<5xf32>, %y: memref<301xf32>):
  %p = driver.buffer open affine_map<(n, m, p) -> (p * 2)> {offset = 0} : memref<6xf32>
  %q = driver.buffer open affine_map<(n, m, p, q) -> (q + 1)> {offset = 64} : memref<301xf32>
  driver.copy %q to %y : memref<301xf32> to memref<301xf32>
}

// CHECK:       enum { OPEN_NUMBER_COUNT = OPEN_EXTENT_COUNT + (int)2 };
// CHECK:           int32_t times[OPEN_NUMBER_COUNT];
// CHECK:           void (*derive)(int64_t *extents); /* looks up the numbers that follow from the others */
// CHECK:       static const open_end open_ends[] = {
// CHECK:           {{.*}}{{[{]}}{0, 0, 2, 0}, 0, 1, 1}},
// CHECK:       static const uint8_t derived_0[3] = {
// CHECK-NEXT:      3, 1, 2,
// CHECK-NEXT:  };
// CHECK-NEXT:  static const uint16_t derived_1[12] = {
// CHECK-NEXT:      9, 1, 2, 3, 4, 5, 6, 7, 8, 7, 6, 300,
// CHECK-NEXT:  };
// CHECK:       static void derive(int64_t *extents)
// CHECK-NEXT:  {
// CHECK-NEXT:      extents[2] = derived_0[extents[0] - 1];
// CHECK-NEXT:      extents[3] = derived_1[(extents[0] - 1) * 4 + extents[1] - 2];
// CHECK-NEXT:  }
// CHECK:           int64_t extents[OPEN_NUMBER_COUNT]; /* the numbers of the next run, in steps */
// CHECK:           open->derive(context->extents);
