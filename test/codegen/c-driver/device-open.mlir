// RUN: autodeploy-opt -t c-driver %s | filecheck %s

// Numbers of starts that follow from the number of a run: a run sets them first, equal ones once. Blocks of threads and
// arguments name them below 0. Of a tensor of the caller the elements of the run are copied, of one whose elements have
// gaps all.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @rows(%x: !halide.buffer<f32, [4, 16]>) to (%y: !halide.buffer<f32, [4, 16]>) open [[0, 1], [0, 1]] on_device launches [#halide.launch<"net_rows_0", grid = [1, "(extent(1, 1) + 7) / 8", 2], block = [4, 8, 1], shared = 0, args = [0, "extent(0, 1)", 1, "float32(extent(0, 1) * 4)"]>, #halide.launch<"net_rows_1", grid = ["max(extent(1, 1) % 3, 1)", 1, 1], block = [1, 1, 1], shared = 0, args = [1, "extent(1, 1)", "int64(extent(1, 1)) - 1", "extent(1, 1) == 2 || !(extent(0, 1) < 3)"]>] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 16]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 16]>
  }
  driver.program @net inputs ["x"] outputs ["y"] arena 256 weights 0 device_arena 1536 open <"n", 1 to 16> in [array<i64: 1, 0>, array<i64: 0, 0>] {
  ^bb0(%x: memref<16x4xf32>, %y: memref<2x16xf32>):
    %a = driver.buffer open array<i64: 1, 0> on_device {offset = 0 : i64} : memref<16x4xf32>
    %b = driver.buffer open array<i64: 1, 0> on_device {offset = 512 : i64} : memref<16x4xf32>
    %c = driver.buffer open array<i64: 0, 1> on_device {offset = 1024 : i64} : memref<2x16xf32>
    %h = driver.buffer open array<i64: 0, 1> {offset = 0 : i64} : memref<2x16xf32>
    driver.transfer %x to %a : memref<16x4xf32> to memref<16x4xf32>
    driver.call @rows(%a) to (%b) : (memref<16x4xf32>) to (memref<16x4xf32>)
    driver.transfer %c to %h : memref<2x16xf32> to memref<2x16xf32>
    driver.copy %h to %y : memref<2x16xf32> to memref<2x16xf32>
  }
}

// CHECK:      static const int device_arguments[] = {
// CHECK-NEXT:     DEVICE_ARENA_A,
// CHECK-NEXT:     -2,
// CHECK-NEXT:     DEVICE_ARENA_B,
// CHECK-NEXT:     -3,
// CHECK-NEXT:     DEVICE_ARENA_B,
// CHECK-NEXT:     -2,
// CHECK-NEXT:     -5,
// CHECK-NEXT:     -6};
// CHECK:      static const autodeploy_device_start device_starts[] = {
// CHECK-NEXT:     {"net_rows_0", {1, -1, 2}, {4, 8, 1}, 0, 0, 4},
// CHECK-NEXT:     {"net_rows_1", {-4, 1, 1}, {1, 1, 1}, 0, 4, 4},
// CHECK-NEXT: };
// CHECK:      static const unsigned char device_numbers[] = {4, 4, 4, 4, 8, 1};
// CHECK:          device_numbers, 6,
// CHECK:          autodeploy_device_number *const numbers = autodeploy_device_numbers(device);
// CHECK-NEXT:     numbers[0].int32 = (int32_t)
// CHECK-NEXT:     numbers[1].int32 = (int32_t)((int64_t)(context->extents[0]));
// CHECK-NEXT:     numbers[2].float32 = (float)(((int64_t)(context->extents[0])) * 4);
// CHECK-NEXT:     numbers[3].int32 = (int32_t)
// CHECK-NEXT:     numbers[4].int64 = (int64_t)(((int64_t)(context->extents[0])) - 1);
// CHECK-NEXT:     numbers[5].truth = (unsigned char)((((int64_t)(context->extents[0])) == 2) || !(((int64_t)(context->extents[0])) < 3));
// CHECK-NEXT:     if (autodeploy_device_write(device, DEVICE_ARENA_A, buffers[INPUT_X].host, 16 * (size_t)context->extents[0]) != 0) {
// CHECK:          if (autodeploy_device_run(device, 0, 2) != 0) {
// CHECK:          if (autodeploy_device_read(device, DEVICE_ARENA_C, buffers[ARENA_H].host, 128) != 0) {
