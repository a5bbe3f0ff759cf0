// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// Inputs, outputs and weights are no part of the arena.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
  driver.call @k(%w) to (%y) : (memref<4xf32>) to (memref<4xf32>)
  driver.call @k(%y) to (%z) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK: outputs ["y", "z"] arena 0 {
