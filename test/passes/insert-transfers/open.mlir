// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// Blocks of the device have the open axes of those of the processor. A kernel stays on the processor if the caller's
// strides follow from the number of a run, or if it begins within its block after elements along an open axis.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @whole(%x: !halide.buffer<f32, [4, 16]>) to (%y: !halide.buffer<f32, [4, 16]>) config<device_plain, threads = [64]> open [[0, 1], [0, 1]] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 16]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 16]>
  }
  halide.pipeline @second(%x: !halide.buffer<f32, [4, 16]>) to (%y: !halide.buffer<f32, [4, 16]>) config<device_plain, threads = [64]> open [[0, 1], [0, 1]] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 16]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 16]>
  }
  halide.pipeline @packed(%x: !halide.buffer<f32, [4, 16]>) to (%y: !halide.buffer<f32, [4, 16]>) config<device_plain, threads = [64]> open [[0, 1], [0, 1]] packed [0] {
    %f = halide.func "f"(i %i, j %j) : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 16]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 16]>
  }
  driver.program @net inputs ["x", "z"] outputs ["y"] open <"n", 1 to 16> in [array<i64: 1, 0>, array<i64: 0, 1, 0>, array<i64: 1, 0>] {
  ^bb0(%x: memref<16x4xf32>, %z: memref<2x16x4xf32>, %y: memref<16x4xf32>):
    %a = driver.buffer open array<i64: 0, 1, 0> : memref<2x16x4xf32>
    %first = driver.view %a : memref<2x16x4xf32> to memref<16x4xf32>
    driver.call @whole(%x) to (%first) : (memref<16x4xf32>) to (memref<16x4xf32>)
    %behind = driver.view %a {offset = 64 : i64} : memref<2x16x4xf32> to memref<16x4xf32>
    %b = driver.buffer open array<i64: 1, 0> : memref<16x4xf32>
    driver.call @second(%behind) to (%b) : (memref<16x4xf32>) to (memref<16x4xf32>)
    %part = driver.view %z : memref<2x16x4xf32> to memref<16x4xf32>
    driver.call @packed(%part) to (%y) : (memref<16x4xf32>) to (memref<16x4xf32>)
  }
}

// CHECK: halide.pipeline @whole({{.*}} on_device {
// CHECK: halide.pipeline @second({{.*}} attributes {halide.on_host = "no strides lead to an operand"} {
// CHECK: halide.pipeline @packed({{.*}} attributes {halide.on_host = "an open axis of an input is inside of others"} {
// CHECK:      ^bb0(%x: memref<16x4xf32>, %z: memref<2x16x4xf32>, %y: memref<16x4xf32>):
// CHECK-NEXT:   %x_1 = driver.buffer open array<i64: 1, 0> on_device : memref<16x4xf32>
// CHECK-NEXT:   %a = driver.buffer open array<i64: 0, 1, 0> : memref<2x16x4xf32>
// CHECK-NEXT:   %a_1 = driver.buffer open array<i64: 0, 1, 0> on_device : memref<2x16x4xf32>
// CHECK:        driver.transfer %x to %x_1 :
// CHECK:        driver.call @whole(%x_1) to (%first) :
// CHECK:        driver.transfer %a_1 to %a :
// CHECK:        driver.call @second(%behind) to (%b) :
// CHECK:        driver.call @packed(%part) to (%y) :
