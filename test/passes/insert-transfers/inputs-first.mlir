// RUN: autodeploy-opt %s --insert-transfers | filecheck %s
// RUN: sed 's/"cuda"/"opencl"/' %s | autodeploy-opt --insert-transfers | filecheck %s --check-prefix=LATE

// With CUDA inputs are copied before all else, so that no copy is between two kernels. Others copy them when a kernel
// reads them, which takes less memory.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "cuda">} {
  halide.pipeline @there(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["w", "x"] outputs ["y", "z"] {
  ^bb0(%w: memref<4xf32>, %x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
    driver.call @there(%w) to (%y) : (memref<4xf32>) to (memref<4xf32>)
    driver.call @there(%x) to (%z) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// CHECK:      driver.transfer %w to %w_1
// CHECK-NEXT: driver.transfer %x to %x_1
// CHECK-NEXT: driver.call @there(%w_1)
// CHECK-NEXT: driver.call @there(%x_1)

// LATE:      driver.transfer %w to %w_1
// LATE-NEXT: driver.call @there(%w_1)
// LATE-NEXT: driver.transfer %x to %x_1
// LATE-NEXT: driver.call @there(%x_1)
