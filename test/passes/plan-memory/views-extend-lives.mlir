// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// A read through views keeps the bytes of the buffer: %c must not lie on %a.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @add(%x: !halide.buffer<f32, [4]>, %y: !halide.buffer<f32, [4]>) to (%z: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [4]> to f32
    %c = halide.add %a, %b : f32
    halide.yield %c : f32
  }
  halide.output %f in %z : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<4xf32>
  driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
  %r = driver.view %a : memref<4xf32> to memref<2x2xf32>
  %s = driver.view %r : memref<2x2xf32> to memref<4xf32>
  %b = driver.buffer : memref<4xf32>
  driver.call @k(%x) to (%b) : (memref<4xf32>) to (memref<4xf32>)
  %c = driver.buffer : memref<4xf32>
  driver.call @k(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
  driver.call @add(%s, %c) to (%y) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
}

// CHECK: arena 192
// CHECK: %a = driver.buffer {offset = 0 : i64}
// CHECK: %b = driver.buffer {offset = 64 : i64}
// CHECK: %c = driver.buffer {offset = 128 : i64}
