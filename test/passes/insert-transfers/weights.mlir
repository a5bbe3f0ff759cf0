// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A weight is on each side that reads it, and is never transferred.

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
  driver.program @net inputs ["x"] outputs ["y", "z"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
    %there = driver.weight #nn.dense<1.0 : tensor<4xf32>> : memref<4xf32>
    %both = driver.weight #nn.dense<2.0 : tensor<4xf32>> : memref<4xf32>
    %here = driver.weight #nn.dense<3.0 : tensor<4xf32>> : memref<4xf32>
    %a = driver.buffer : memref<4xf32>
    driver.call @there(%there) to (%a) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @there(%both) to (%y) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @here(%both) to (%z) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @here(%here) to (%z) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<plain> {
// CHECK:      driver.program @net inputs ["x"] outputs ["y", "z"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %there = driver.weight #nn.dense<1.0 : tensor<4xf32>> on_device : memref<4xf32>
// CHECK-NEXT:   %both = driver.weight #nn.dense<2.0 : tensor<4xf32>> : memref<4xf32>
// CHECK-NEXT:   %both_1 = driver.weight #nn.dense<2.0 : tensor<4xf32>> on_device : memref<4xf32>
// CHECK-NEXT:   %here = driver.weight #nn.dense<3.0 : tensor<4xf32>> : memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   driver.call @there(%there) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @there(%both_1) to (%y_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @here(%both) to (%z) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @here(%here) to (%z) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xf32> to memref<4xf32>
