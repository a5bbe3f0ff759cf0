// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A strided part of a block is copied on the device, too.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @there8(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<8xf32>):
    %a = driver.buffer : memref<4xf32>
    %b = driver.buffer : memref<2x4xf32>
    %p = driver.view %b {offset = 2 : i64} : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1]>>
    %q = driver.view %a : memref<4xf32> to memref<2x2xf32>
    driver.call @there(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
    driver.copy %q to %p : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1]>>
    %r = driver.view %b : memref<2x4xf32> to memref<8xf32>
    driver.call @there8(%r) to (%y) : (memref<8xf32>) to (memref<8xf32>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @there8(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) config<device_plain, threads = [64]> on_device {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<8xf32>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<8xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %b = driver.buffer on_device : memref<2x4xf32>
// CHECK-NEXT:   %p = driver.view %b {offset = 2 : i64} : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1]>>
// CHECK-NEXT:   %q = driver.view %a : memref<4xf32> to memref<2x2xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%x_1) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.copy %q to %p : memref<2x2xf32> to memref<2x2xf32, strided<[4, 1]>>
// CHECK-NEXT:   %r = driver.view %b : memref<2x4xf32> to memref<8xf32>
// CHECK-NEXT:   driver.call @there8(%r) to (%y_1) : (memref<8xf32>) to (memref<8xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<8xf32> to memref<8xf32>
