// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A copy is made where its source is, or, of an input or a weight, where kernels read its target: on the device. What
// the processor has computed is copied there.

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
  driver.program @net inputs ["x", "z"] outputs ["y", "u", "v"] {
  ^bb0(%x: memref<4xf32>, %z: memref<4xf32>, %y: memref<4xf32>, %u: memref<4xf32>, %v: memref<4xf32>):
    %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
    %a = driver.buffer : memref<4xf32>
    %b = driver.buffer : memref<4xf32>
    %c = driver.buffer : memref<4xf32>
    %d = driver.buffer : memref<4xf32>
    %e = driver.buffer : memref<4xf32>
    %f = driver.buffer : memref<4xf32>
    %g = driver.buffer : memref<4xf32>
    driver.copy %x to %a : memref<4xf32> to memref<4xf32>
    driver.call @there(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
    driver.copy %b to %c : memref<4xf32> to memref<4xf32>
    driver.call @here(%c) to (%u) : (memref<4xf32>) to (memref<4xf32>)
    driver.copy %w to %d : memref<4xf32> to memref<4xf32>
    driver.call @there(%d) to (%y) : (memref<4xf32>) to (memref<4xf32>)
    driver.copy %z to %e : memref<4xf32> to memref<4xf32>
    driver.call @here(%e) to (%f) : (memref<4xf32>) to (memref<4xf32>)
    driver.copy %f to %v : memref<4xf32> to memref<4xf32>
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<plain> {
// CHECK:      driver.program @net inputs ["x", "z"] outputs ["y", "u", "v"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %z: memref<4xf32>, %y: memref<4xf32>, %u: memref<4xf32>, %v: memref<4xf32>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> on_device : memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %b = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %c = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %c_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %d = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %e = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %f = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %g = driver.buffer : memref<4xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.copy %x_1 to %a : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.copy %b to %c_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.transfer %c_1 to %c : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @here(%c) to (%u) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.copy %w to %d : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%d) to (%y_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.copy %z to %e : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @here(%e) to (%f) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.copy %f to %v : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xf32> to memref<4xf32>
