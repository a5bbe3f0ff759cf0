// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// Kernels whose buffers begin at other elements differ. Equal ones share a kernel.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there2(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [2]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
  }
  driver.program @net inputs ["x"] outputs ["y", "z", "u", "v"] {
  ^bb0(%x: memref<4xf32>, %y: memref<2xf32>, %z: memref<2xf32>, %u: memref<2xf32>, %v: memref<2xf32>):
    %l = driver.view %x : memref<4xf32> to memref<2xf32>
    %r = driver.view %x {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
    driver.call @there2(%l) to (%y) : (memref<2xf32>) to (memref<2xf32>)
    driver.call @there2(%r) to (%z) : (memref<2xf32>) to (memref<2xf32>)
    driver.call @there2(%r) to (%u) : (memref<2xf32>) to (memref<2xf32>)
    driver.call @there2(%l) to (%v) : (memref<2xf32>) to (memref<2xf32>)
  }
}

// CHECK:      halide.pipeline @there2(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @there2_strided(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<device_plain, threads = [64]> on_device starts [2, 0] {
// CHECK:      driver.program @net inputs ["x"] outputs ["y", "z", "u", "v"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<2xf32>, %z: memref<2xf32>, %u: memref<2xf32>, %v: memref<2xf32>):
// CHECK-NEXT:   %v_1 = driver.buffer on_device : memref<2xf32>
// CHECK-NEXT:   %u_1 = driver.buffer on_device : memref<2xf32>
// CHECK-NEXT:   %z_1 = driver.buffer on_device : memref<2xf32>
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<2xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %l = driver.view %x_1 : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.call @there2(%l) to (%y_1) : (memref<2xf32>) to (memref<2xf32>)
// CHECK-NEXT:   %r = driver.view %x_1 {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.call @there2_strided(%r) to (%z_1) : (memref<2xf32>) to (memref<2xf32>)
// CHECK-NEXT:   %r_1 = driver.view %x_1 {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.call @there2_strided(%r_1) to (%u_1) : (memref<2xf32>) to (memref<2xf32>)
// CHECK-NEXT:   %l_1 = driver.view %x_1 : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.call @there2(%l_1) to (%v_1) : (memref<2xf32>) to (memref<2xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:   driver.transfer %z_1 to %z : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:   driver.transfer %u_1 to %u : memref<2xf32> to memref<2xf32>
// CHECK-NEXT:   driver.transfer %v_1 to %v : memref<2xf32> to memref<2xf32>
