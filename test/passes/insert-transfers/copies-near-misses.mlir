// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// Copies that the processor makes although a kernel of the device reads the target: one to a place where no strides
// lead, one of no elements.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there8(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  }
  driver.program @net inputs ["x"] outputs ["y", "z"] {
  ^bb0(%x: memref<4xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
    %a = driver.buffer : memref<8xf32>
    %p = driver.view %a {offset = 1 : i64} : memref<8xf32> to memref<2xf32, strided<[2]>>
    %xp = driver.view %x : memref<4xf32> to memref<2xf32>
    driver.copy %xp to %p : memref<2xf32> to memref<2xf32, strided<[2]>>
    driver.call @there8(%a) to (%y) : (memref<8xf32>) to (memref<8xf32>)
    %b = driver.buffer : memref<8xf32>
    %q = driver.view %b : memref<8xf32> to memref<0xf32>
    %xq = driver.view %x : memref<4xf32> to memref<0xf32>
    driver.copy %xq to %q : memref<0xf32> to memref<0xf32>
    driver.call @there8(%b) to (%z) : (memref<8xf32>) to (memref<8xf32>)
  }
}

// CHECK:      halide.pipeline @there8(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) config<device_plain, threads = [64]> on_device {
// CHECK:      driver.program @net inputs ["x"] outputs ["y", "z"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
// CHECK-NEXT:   %z_1 = driver.buffer on_device : memref<8xf32>
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<8xf32>
// CHECK-NEXT:   %a = driver.buffer : memref<8xf32>
// CHECK-NEXT:   %a_1 = driver.buffer on_device : memref<8xf32>
// CHECK-NEXT:   %p = driver.view %a {offset = 1 : i64} : memref<8xf32> to memref<2xf32, strided<[2]>>
// CHECK-NEXT:   %xp = driver.view %x : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.copy %xp to %p : memref<2xf32> to memref<2xf32, strided<[2]>>
// CHECK-NEXT:   driver.transfer %a to %a_1 : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:   driver.call @there8(%a_1) to (%y_1) : (memref<8xf32>) to (memref<8xf32>)
// CHECK-NEXT:   %b = driver.buffer : memref<8xf32>
// CHECK-NEXT:   %b_1 = driver.buffer on_device : memref<8xf32>
// CHECK-NEXT:   %q = driver.view %b : memref<8xf32> to memref<0xf32>
// CHECK-NEXT:   %xq = driver.view %x : memref<4xf32> to memref<0xf32>
// CHECK-NEXT:   driver.copy %xq to %q : memref<0xf32> to memref<0xf32>
// CHECK-NEXT:   driver.transfer %b to %b_1 : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:   driver.call @there8(%b_1) to (%z_1) : (memref<8xf32>) to (memref<8xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:   driver.transfer %z_1 to %z : memref<8xf32> to memref<8xf32>
