// RUN: autodeploy-opt %s --form-copies | filecheck %s

// A copy on the device is a kernel there, also between dense blocks of two shapes. Its buffers are whole blocks, so it differs by the
// elements at which they begin. The copy of bytes at the end is the processor's.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
    %a = driver.buffer on_device : memref<8xf32>
    %b = driver.buffer on_device : memref<8xf32>
    driver.copy %a to %b : memref<8xf32> to memref<8xf32>
    %m = driver.view %a : memref<8xf32> to memref<2x4xf32>
    driver.copy %m to %b : memref<2x4xf32> to memref<8xf32>
    %l = driver.view %a : memref<8xf32> to memref<4xf32>
    %r = driver.view %b {offset = 4 : i64} : memref<8xf32> to memref<4xf32>
    driver.copy %l to %r : memref<4xf32> to memref<4xf32>
    driver.copy %l to %r : memref<4xf32> to memref<4xf32>
    %f = driver.view %b : memref<8xf32> to memref<4xf32>
    driver.copy %l to %f : memref<4xf32> to memref<4xf32>
    driver.copy %x to %y : memref<8xf32> to memref<8xf32>
  }
}

// CHECK: halide.pipeline @copy_0(%in0: !halide.buffer<f32, [8]>) to (%result0: !halide.buffer<f32, [8]>) config<device_plain, threads = [64]> on_device {
// CHECK: halide.pipeline @copy_1(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device starts [0, 4] {
// CHECK: halide.pipeline @copy_2(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK: driver.call @copy_0(%a) to (%b) : (memref<8xf32>) to (memref<8xf32>)
// CHECK: driver.call @copy_0(%a) to (%b) : (memref<8xf32>) to (memref<8xf32>)
// CHECK: driver.call @copy_1(%l) to (%r) : (memref<4xf32>) to (memref<4xf32>)
// CHECK: driver.call @copy_1(%l_1) to (%r_1) : (memref<4xf32>) to (memref<4xf32>)
// CHECK: driver.call @copy_2(%l_2) to (%f) : (memref<4xf32>) to (memref<4xf32>)
// CHECK: driver.copy %x to %y : memref<8xf32> to memref<8xf32>
