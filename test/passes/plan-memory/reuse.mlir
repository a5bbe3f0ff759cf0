// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// A buffer takes the bytes of one that is not read any more; 16 bytes take 64.

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

// CHECK:      driver.program @net inputs ["x"] outputs ["y"] arena 128 {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   %a = driver.buffer {offset = 0 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   %b = driver.buffer {offset = 64 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   %c = driver.buffer {offset = 0 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @k(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @k(%c) to (%y) : (memref<4xf32>) to (memref<4xf32>)
