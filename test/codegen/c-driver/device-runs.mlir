// RUN: autodeploy-opt -t c-driver %s | filecheck %s

// Calls that follow each other are one run: all their starts are queued at once. A copy, or a kernel of the processor, ends it.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "cuda">} {
  halide.pipeline @one(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"net_one", grid = [1, 1, 1], block = [4, 1, 1], shared = 0, args = [0, 1]>] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y", "z"] arena 0 weights 0 device_arena 1536 {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
    %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
    driver.transfer %x to %a : memref<4xf32> to memref<4xf32>
    %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
    driver.call @one(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>) loc(fused["first", "also first"])
    %c = driver.buffer on_device {offset = 1024 : i64} : memref<8xf32>
    %v = driver.view %c : memref<8xf32> to memref<4xf32>
    driver.call @one(%b) to (%v) : (memref<4xf32>) to (memref<4xf32>) loc("second")
    driver.call @here(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @one(%v) to (%a) : (memref<4xf32>) to (memref<4xf32>)
    driver.transfer %a to %z : memref<4xf32> to memref<4xf32>
    driver.call @one(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      static const int device_runs[] = {0, 2, 3};
// CHECK:      net_kernel_lines, 1536,
// CHECK:      device_runs, (int)(sizeof device_runs / sizeof device_runs[0]),
// CHECK:      autodeploy_device_write(device, DEVICE_ARENA_A,
// CHECK:      /* first, also first */
// CHECK-NEXT: /* second */
// CHECK-NEXT: if (autodeploy_device_run(device, 0, 2) != 0) {
// CHECK-NOT:  autodeploy_device_run
// CHECK:      code = net_here(
// CHECK:      autodeploy_device_run(device, 2, 1)
// CHECK:      autodeploy_device_read(device, DEVICE_ARENA_A,
// CHECK:      autodeploy_device_run(device, 3, 1)
