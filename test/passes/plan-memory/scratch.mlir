// RUN: autodeploy-opt --plan-memory %s | filecheck %s
// RUN: autodeploy-opt --plan-memory=reuse=false %s | filecheck %s --check-prefix=OWN

// The scratch of a call is placed like a buffer that is alive at this call alone.

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
  %c = driver.buffer : memref<4xf32>
  driver.call @silent(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
  %d = driver.buffer : memref<4xf32>
  driver.call @small(%c) to (%d) : (memref<4xf32>) to (memref<4xf32>)
  driver.call @silent(%d) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK:      arena 4288 {
// CHECK:        %a = driver.buffer {offset = 4160 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @small(%x) to (%a) {scratch = 0 : i64}
// CHECK-NEXT:   %b = driver.buffer {offset = 4224 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @large(%a) to (%b) {scratch = 0 : i64}
// CHECK-NEXT:   %c = driver.buffer {offset = 128 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @silent(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   %d = driver.buffer {offset = 192 : i64} : memref<4xf32>
// CHECK-NEXT:   driver.call @small(%c) to (%d) {scratch = 0 : i64}
// CHECK-NEXT:   driver.call @silent(%d) to (%y) : (memref<4xf32>) to (memref<4xf32>)

// Where no buffers share bytes, all calls have the same scratch behind them.

// OWN:          arena 4416 {
// OWN:            %a = driver.buffer {offset = 0 : i64} : memref<4xf32>
// OWN-NEXT:       driver.call @small(%x) to (%a) {scratch = 256 : i64}
// OWN-NEXT:       %b = driver.buffer {offset = 64 : i64} : memref<4xf32>
// OWN-NEXT:       driver.call @large(%a) to (%b) {scratch = 256 : i64}
// OWN-NEXT:       %c = driver.buffer {offset = 128 : i64} : memref<4xf32>
// OWN-NEXT:       driver.call @silent(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
// OWN-NEXT:       %d = driver.buffer {offset = 192 : i64} : memref<4xf32>
// OWN-NEXT:       driver.call @small(%c) to (%d) {scratch = 256 : i64}
