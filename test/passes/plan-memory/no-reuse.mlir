// RUN: autodeploy-opt --plan-memory=reuse=false %s | filecheck %s

// Without reuse every buffer has bytes of its own, in the order of the text.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<4xf32>
  driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
  %b = driver.buffer : memref<4xf32>
  driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
  %c = driver.buffer : memref<4xf32>
  driver.call @k(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
  driver.call @k(%c) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK: driver.program @net inputs ["x"] outputs ["y"] arena 192 {
// CHECK: %a = driver.buffer {offset = 0 : i64}
// CHECK: %b = driver.buffer {offset = 64 : i64}
// CHECK: %c = driver.buffer {offset = 128 : i64}
