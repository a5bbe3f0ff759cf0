// RUN: autodeploy-opt %s --plan-memory | filecheck %s

// The device has an arena of its own, where blocks begin at multiples of 512 bytes. It holds the arrays that kernels pass
// on, too; a block whose last reader has run is free again. The arena of the processor holds nothing of it.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @arrays(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 1024 on_device arrays [16, 600] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @simple(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 100 {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %a = driver.buffer on_device : memref<4xf32>
    %b = driver.buffer on_device : memref<4xf32>
    %c = driver.buffer on_device : memref<4xf32>
    %h = driver.buffer : memref<4xf32>
    %i = driver.buffer : memref<4xf32>
    driver.call @here(%x) to (%h) : (memref<4xf32>) to (memref<4xf32>)
    driver.transfer %h to %a : memref<4xf32> to memref<4xf32>
    driver.call @arrays(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @simple(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
    driver.transfer %c to %i : memref<4xf32> to memref<4xf32>
    driver.call @here(%i) to (%y) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK: driver.program @net inputs ["x"] outputs ["y"] arena 192 device_arena 2048 {
// CHECK: %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
// CHECK: %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
// CHECK: %c = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
// CHECK: %h = driver.buffer {offset = 0 : i64} : memref<4xf32>
// CHECK: %i = driver.buffer {offset = 0 : i64} : memref<4xf32>
// CHECK: driver.call @here(%x) to (%h) {scratch = 64 : i64} : (memref<4xf32>) to (memref<4xf32>)
// CHECK: driver.transfer %h to %a : memref<4xf32> to memref<4xf32>
// CHECK: driver.call @arrays(%a) to (%b) {scratch = 1024 : i64} : (memref<4xf32>) to (memref<4xf32>)
// CHECK: driver.call @simple(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
// CHECK: driver.transfer %c to %i : memref<4xf32> to memref<4xf32>
// CHECK: driver.call @here(%i) to (%y) {scratch = 64 : i64} : (memref<4xf32>) to (memref<4xf32>)
