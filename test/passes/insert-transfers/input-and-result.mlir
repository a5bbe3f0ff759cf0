// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// An input goes to the device once, for all kernels that read it, and a result comes back once, after the last.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y", "z"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
    %a = driver.buffer : memref<4xf32>
    driver.call @there(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @there(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @there(%a) to (%z) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      driver.program @net inputs ["x"] outputs ["y", "z"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
// CHECK-NEXT:   %z_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%x_1) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @there(%x_1) to (%y_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @there(%a) to (%z_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.transfer %z_1 to %z : memref<4xf32> to memref<4xf32>
