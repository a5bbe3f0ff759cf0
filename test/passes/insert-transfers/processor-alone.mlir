// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A program whose kernels all run on the processor stays as it is.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<plain> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %a = driver.buffer : memref<4xf32>
    driver.call @here(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @here(%a) to (%y) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      halide.pipeline @here(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<plain> {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   %a = driver.buffer : memref<4xf32>
// CHECK-NEXT:   driver.call @here(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @here(%a) to (%y) : (memref<4xf32>) to (memref<4xf32>)
