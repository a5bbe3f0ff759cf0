// RUN: autodeploy-opt --plan-memory=print-map=true %s 2>&1 | filecheck %s

// Each row of %b is computed from that of %a, which is half as long and read for the last time. The
// last row of %b ends 4 * 4096 bytes behind its start, that of %a may begin there: %a lies in bytes
// 10240 to 18432, %b in front of it from byte 0 on.

// CHECK:      0      16.4 KB        1..2  rows
// CHECK-NEXT: 10240       8.2 KB        0..1  narrow
// CHECK:      arena 18432 bytes

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

halide.pipeline @reduced(%x: !halide.buffer<f32, [1024, 4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(j %j) : f32 {
    %zero = halide.const 0 : i32
    %v = halide.load %x[%zero, %j] : !halide.buffer<f32, [1024, 4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4x512xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<4x512xf32>
  driver.call @narrow(%x) to (%a) : (memref<4x512xf32>) to (memref<4x512xf32>)
  %b = driver.buffer : memref<4x1024xf32>
  driver.call @rows(%a) to (%b) : (memref<4x512xf32>) to (memref<4x1024xf32>)
  driver.call @reduced(%b) to (%y) : (memref<4x1024xf32>) to (memref<4xf32>)
}
