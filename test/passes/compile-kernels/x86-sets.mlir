// RUN: autodeploy-opt %s --set-machine="machine=x86-64-avx2" --compile-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine="machine=x86-64" --compile-kernels | filecheck %s --check-prefix=NONE
// RUN: autodeploy-opt %s --set-machine="machine=aarch64-neon" --compile-kernels | filecheck %s --check-prefix=NONE

// The program says which instruction sets of x86-64 its kernels may use.

halide.pipeline @copy(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %x[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @main inputs ["x"] outputs ["y"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  driver.call @copy(%x) to (%y) : (memref<8xf32>) to (memref<8xf32>)
}

// CHECK: driver.program @main inputs ["x"] outputs ["y"] x86_sets ["sse4.1", "avx", "f16c", "fma", "avx2"] {
// NONE:  driver.program @main inputs ["x"] outputs ["y"] {
