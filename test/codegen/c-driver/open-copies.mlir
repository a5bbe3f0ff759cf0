// RUN: autodeploy-opt %s -t c-driver | filecheck %s

// What is joined: pieces that lie together on both sides, within loops over the axes around them. Where the caller has
// no gaps, strides follow from the number; and there is no memory of what has no elements.

halide.pipeline @k(%x: !halide.buffer<f32, [4, 9, 3]>) to (%y: !halide.buffer<f32, [4, 9, 3]>)
    open [affine_map<(n) -> (0, n + 1, 0)>, affine_map<(n) -> (0, n + 1, 0)>] packed [0] {
  %f = halide.func "f"(i %i, j %j, k %k) : f32 {
    %v = halide.load %x[%i, %j, %k] : !halide.buffer<f32, [4, 9, 3]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 3> in !halide.buffer<f32, [4, 9, 3]>
}
driver.program @net inputs ["past", "new"] outputs ["all"] arena 432 weights 0 open <"n", 0 to 8> in
    [array<i64: 0, 1, 0>, array<i64: 0, 0, 0>, affine_map<(n) -> (0, n + 1, 0)>] {
^bb0(%past: memref<3x8x4xf32>, %new: memref<1x2x12xf32>, %all: memref<3x9x4xf32>):
  driver.join %past to %all from 0 on 1 : memref<3x8x4xf32> to memref<3x9x4xf32>
  %n = driver.view %new {offset = 12} : memref<1x2x12xf32> to memref<3x1x4xf32>
  driver.join %n to %all from 8 on 1 behind array<i64: 1> : memref<3x1x4xf32> to memref<3x9x4xf32>
  %b = driver.buffer open affine_map<(n) -> (0, n + 1, 0)> {offset = 0} : memref<3x9x4xf32>
  driver.join %past to %b from 1 on 1 : memref<3x8x4xf32> to memref<3x9x4xf32>
  driver.call @k(%all) to (%b) : (memref<3x9x4xf32>) to (memref<3x9x4xf32>)
}

// An extent, and a stride of what a kernel reads in the caller's memory.
// CHECK:       static const open_end open_ends[] = {
// CHECK-NEXT:      {1, 0, 0, {{[{]}}{1}, 0, 1, 1}},
// CHECK-NEXT:      {2, 1, 0, {{[{]}}{4}, 0, 1, 1}},
// CHECK-NEXT:      {4, 0, 0, {{[{]}}{1}, 1, 1, 1}},
// CHECK-NEXT:      {5, 1, 0, {{[{]}}{4}, 4, 1, 1}},
// CHECK-NEXT:      {7, 0, 0, {{[{]}}{1}, 1, 1, 1}},
// CHECK-NEXT:  };

// CHECK:           if (1 * (size_t)context->extents[0] > 0) {
// CHECK-NEXT:          for (size_t part = 0; part < 3; ++part) {
// CHECK-NEXT:              memcpy(
// CHECK-NEXT:                  buffers[OUTPUT_ALL].host + part * (16 * (size_t)(context->extents[0] + 1)),
// CHECK-NEXT:                  buffers[INPUT_PAST].host + part * (16 * (size_t)context->extents[0]),
// CHECK-NEXT:                  16 * (size_t)context->extents[0]);
// CHECK-NEXT:          }
// CHECK-NEXT:      }
// CHECK:           for (size_t part = 0; part < 3; ++part) {
// CHECK-NEXT:          memcpy(
// CHECK-NEXT:              buffers[OUTPUT_ALL].host + part * (16 * (size_t)(context->extents[0] + 1)) + 16 * (size_t)context->extents[0],
// CHECK-NEXT:              buffers[VIEW_N].host + part * 16, 16);
// CHECK-NEXT:      }
// CHECK-NEXT:      if (1 * (size_t)context->extents[0] > 0) {
// CHECK-NEXT:          for (size_t part = 0; part < 3; ++part) {
// CHECK-NEXT:              memcpy(
// CHECK-NEXT:                  buffers[ARENA_B].host + part * 144 + 16,
// CHECK-NEXT:                  buffers[INPUT_PAST].host + part * (16 * (size_t)context->extents[0]),
// CHECK-NEXT:                  16 * (size_t)context->extents[0]);
