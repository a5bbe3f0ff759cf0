// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// Offsets and sizes that are there are replaced.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] arena 6400 weights 128 threads 2 worker_scratch 64 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer {offset = 640 : i64} : memref<4xf32>
  driver.call @k(%x) to (%a) {scratch = 64 : i64} : (memref<4xf32>) to (memref<4xf32>)
  driver.call @k(%a) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK: arena 64 weights 128 threads 2 {
// CHECK: %a = driver.buffer {offset = 0 : i64}
// CHECK: driver.call @k(%x) to (%a) : 
