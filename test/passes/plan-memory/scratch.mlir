// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// Kernels run one after the other: the program needs the scratch of the hungriest that it calls.

halide.pipeline @small(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @large(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 4100 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @silent(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @uncalled(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 9000 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<4xf32>
  driver.call @small(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
  %b = driver.buffer : memref<4xf32>
  driver.call @large(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
  driver.call @silent(%b) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK: driver.program @net inputs ["x"] outputs ["y"] arena 128 scratch 4100 {
