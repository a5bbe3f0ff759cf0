// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A call: extents of memrefs are outermost first, those of the kernel's buffers innermost first.

halide.pipeline @two(%x: !halide.buffer<f32, [3, 2]>) to (%y: !halide.buffer<f32, [3, 2]>, %z: !halide.buffer<f32, [3, 2]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [3, 2]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(i %i, j %j) : f32 {
    %v = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
  halide.output %g in %z : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<2x3xf32>, %y: memref<2x3xf32>):
  %a = driver.buffer : memref<2x3xf32>
  driver.call @two(%x) to (%a, %y) : (memref<2x3xf32>) to (memref<2x3xf32>, memref<2x3xf32>)
}

// CHECK: driver.call @two(%x) to (%a, %y) : (memref<2x3xf32>) to (memref<2x3xf32>, memref<2x3xf32>)
