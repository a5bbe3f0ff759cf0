// RUN: autodeploy-opt --plan-memory %s | filecheck %s

// What is read again behind the call lies apart, as does an input that the call reads twice, one
// that is a part of a buffer, and an output that an earlier call has filled.

halide.pipeline @narrow(%x: !halide.buffer<f32, [512, 4]>) to (%y: !halide.buffer<f32, [512, 4]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [512, 4]> to f32
    %w = halide.exp %v : f32
    halide.yield %w : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [512, 4]>
}

halide.pipeline @rows(%x: !halide.buffer<f32, [512, 4]>) to (%y: !halide.buffer<f32, [1024, 4]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %two = halide.const 2 : i32
    %c = halide.div %i, %two : i32
    %v = halide.load %x[%c, %j] : !halide.buffer<f32, [512, 4]> to f32
    %w = halide.exp %v : f32
    halide.yield %w : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [1024, 4]>
}

halide.pipeline @both(%x: !halide.buffer<f32, [512, 4]>, %z: !halide.buffer<f32, [512, 4]>) to (%y: !halide.buffer<f32, [1024, 4]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %two = halide.const 2 : i32
    %c = halide.div %i, %two : i32
    %v = halide.load %x[%c, %j] : !halide.buffer<f32, [512, 4]> to f32
    %w = halide.load %z[%c, %j] : !halide.buffer<f32, [512, 4]> to f32
    %u = halide.add %v, %w : f32
    halide.yield %u : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [1024, 4]>
}

halide.pipeline @reduced(%x: !halide.buffer<f32, [1024, 4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(j %j) : f32 {
    %zero = halide.const 0 : i32
    %v = halide.load %x[%zero, %j] : !halide.buffer<f32, [1024, 4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK: driver.program @again inputs ["x"] outputs ["y", "z"] arena 24576
driver.program @again inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<4x512xf32>, %y: memref<4xf32>, %z: memref<4x1024xf32>):
  %a = driver.buffer : memref<4x512xf32>
  driver.call @narrow(%x) to (%a) : (memref<4x512xf32>) to (memref<4x512xf32>)
  %b = driver.buffer : memref<4x1024xf32>
  driver.call @rows(%a) to (%b) : (memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @rows(%a) to (%z) : (memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @reduced(%b) to (%y) : (memref<4x1024xf32>) to (memref<4xf32>)
}

// CHECK: driver.program @twice inputs ["x"] outputs ["y", "z"] arena 24576
driver.program @twice inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<4x512xf32>, %y: memref<4xf32>, %z: memref<4x1024xf32>):
  %a = driver.buffer : memref<4x512xf32>
  driver.call @narrow(%x) to (%a) : (memref<4x512xf32>) to (memref<4x512xf32>)
  %b = driver.buffer : memref<4x1024xf32>
  driver.call @both(%a, %a) to (%b) : (memref<4x512xf32>, memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @reduced(%b) to (%y) : (memref<4x1024xf32>) to (memref<4xf32>)
}

// CHECK: driver.program @part inputs ["x"] outputs ["y", "z"] arena 32768
driver.program @part inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<4x512xf32>, %y: memref<4xf32>, %z: memref<4x1024xf32>):
  %a = driver.buffer : memref<4x512xf32>
  driver.call @narrow(%x) to (%a) : (memref<4x512xf32>) to (memref<4x512xf32>)
  %b = driver.buffer : memref<4x1024xf32>
  %c = driver.buffer : memref<8x512xf32>
  %d = driver.view %c : memref<8x512xf32> to memref<4x512xf32>
  driver.call @narrow(%a) to (%d) : (memref<4x512xf32>) to (memref<4x512xf32>)
  driver.call @rows(%d) to (%b) : (memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @reduced(%b) to (%y) : (memref<4x1024xf32>) to (memref<4xf32>)
}

// CHECK: driver.program @filled inputs ["x"] outputs ["y", "z"] arena 24576
driver.program @filled inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<4x512xf32>, %y: memref<4xf32>, %z: memref<4x1024xf32>):
  %a = driver.buffer : memref<4x512xf32>
  driver.call @narrow(%x) to (%a) : (memref<4x512xf32>) to (memref<4x512xf32>)
  %b = driver.buffer : memref<4x1024xf32>
  driver.call @rows(%x) to (%b) : (memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @rows(%a) to (%b) : (memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @reduced(%b) to (%y) : (memref<4x1024xf32>) to (memref<4xf32>)
}
