// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A loop is the processor's, and so is what it reads and writes.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<plain> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %a = driver.buffer : memref<4xf32>
    %b = driver.buffer : memref<4xf32>
    driver.call @there(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
    driver.for steps 3 {
      driver.call @here(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
    }
    driver.call @there(%b) to (%y) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<plain> {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %a_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %b = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %b_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%x_1) to (%a_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %a_1 to %a : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.for steps 3 {
// CHECK-NEXT:     driver.call @here(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   }
// CHECK-NEXT:   driver.transfer %b to %b_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%b_1) to (%y_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xf32> to memref<4xf32>
