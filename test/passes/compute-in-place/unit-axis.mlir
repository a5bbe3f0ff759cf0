// RUN: autodeploy-opt --compute-in-place %s | filecheck %s

// Along an axis of one element, its only coordinate may be written as a number.

halide.pipeline @k(%x: !halide.buffer<f32, [8, 1]>) to (%y: !halide.buffer<f32, [8, 1]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %zero = halide.const 0 : i32
    %v = halide.load %x[%i, %zero] : !halide.buffer<f32, [8, 1]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 1]>
}

driver.program @unit inputs ["x"] outputs ["y"] {
^bb0(%x: memref<1x8xf32>, %y: memref<1x8xf32>):
  %a = driver.buffer : memref<1x8xf32>
  driver.call @k(%x) to (%a) : (memref<1x8xf32>) to (memref<1x8xf32>)
  %b = driver.buffer : memref<1x8xf32>
  driver.call @k(%a) to (%b) : (memref<1x8xf32>) to (memref<1x8xf32>)
  driver.call @k(%b) to (%y) : (memref<1x8xf32>) to (memref<1x8xf32>)
}

// CHECK:      driver.call @k(%x) to (%a)
// CHECK-NEXT: driver.call @k(%a) to (%a)
// CHECK-NEXT: driver.call @k(%a) to (%y)
