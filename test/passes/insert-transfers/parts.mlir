// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A kernel that writes a part of a block needs the rest of it on its side. The first one to write does not.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  halide.pipeline @there2(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [2]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
  }
  halide.pipeline @here2(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<plain> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [2]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %c = driver.buffer : memref<4xf32>
    %l = driver.view %c : memref<4xf32> to memref<2xf32>
    %r = driver.view %c {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
    %xl = driver.view %x : memref<4xf32> to memref<2xf32>
    %xr = driver.view %x {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
    driver.call @there2(%xl) to (%l) : (memref<2xf32>) to (memref<2xf32>)
    driver.call @here2(%xr) to (%r) : (memref<2xf32>) to (memref<2xf32>)
    driver.call @there(%c) to (%y) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @there2(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<device_plain, threads = [64]> on_device {
// CHECK:      halide.pipeline @here2(%x: !halide.buffer<f32, [2]>) to (%y: !halide.buffer<f32, [2]>) config<plain> {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %c = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %c_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   %r = driver.view %c {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   %xr = driver.view %x {offset = 2 : i64} : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %xl = driver.view %x_1 : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   %l = driver.view %c_1 : memref<4xf32> to memref<2xf32>
// CHECK-NEXT:   driver.call @there2(%xl) to (%l) : (memref<2xf32>) to (memref<2xf32>)
// CHECK-NEXT:   driver.transfer %c_1 to %c : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @here2(%xr) to (%r) : (memref<2xf32>) to (memref<2xf32>)
// CHECK-NEXT:   driver.transfer %c to %c_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @there(%c_1) to (%y_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xf32> to memref<4xf32>
