// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// No strides of the operand lead to the element at which it begins, so the kernel runs on the processor.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @odd(%x: !halide.buffer<f32, [2], [2]>) to (%y: !halide.buffer<f32, [2]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [2], [2]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<2xf32>):
    %v = driver.view %x {offset = 1 : i64} : memref<4xf32> to memref<2xf32, strided<[2]>>
    driver.call @odd(%v) to (%y) : (memref<2xf32, strided<[2]>>) to (memref<2xf32>)
  }
}

// CHECK:      halide.pipeline @odd(%x: !halide.buffer<f32, [2], [2]>) to (%y: !halide.buffer<f32, [2]>) config<plain> attributes {halide.on_host = "no strides lead to an operand"} {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<2xf32>):
// CHECK-NEXT:   %v = driver.view %x {offset = 1 : i64} : memref<4xf32> to memref<2xf32, strided<[2]>>
// CHECK-NEXT:   driver.call @odd(%v) to (%y) : (memref<2xf32, strided<[2]>>) to (memref<2xf32>)
