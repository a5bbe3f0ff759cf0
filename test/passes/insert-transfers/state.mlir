// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// What a program keeps from run to run is kept by the processor.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %s, %sn = driver.state "s" from "sn" : memref<4xf32>
    driver.call @there(%s) to (%y) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @there(%x) to (%sn) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %s, %sn = driver.state "s" from "sn" : memref<4xf32>
// CHECK-NEXT:   %sn_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %s_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   driver.transfer %s to %s_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%s_1) to (%y_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%x_1) to (%sn_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.transfer %sn_1 to %sn : memref<4xf32> to memref<4xf32>
