// RUN: autodeploy-opt --compute-in-place %s | filecheck %s

// Where the last vector overlaps the one before, elements are computed twice, the second time from
// results: such a kernel has another buffer to fill. One whose last vector is guarded has not.

halide.pipeline @overlapping(%x: !halide.buffer<f32, [9]>) to (%y: !halide.buffer<f32, [9]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [9]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [9]>
  halide.schedule {
    halide.split %f "i" to "io", "ii" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 1>
    halide.vectorize %f "ii" : !halide.func<f32, 1>
  }
}

halide.pipeline @implicit(%x: !halide.buffer<f32, [9]>) to (%y: !halide.buffer<f32, [9]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [9]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [9]>
  halide.schedule {
    halide.vectorize %f "i" by 8 : !halide.func<f32, 1>
  }
}

halide.pipeline @guarded(%x: !halide.buffer<f32, [9]>) to (%y: !halide.buffer<f32, [9]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [9]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [9]>
  halide.schedule {
    halide.split %f "i" to "io", "ii" by 8 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 1>
    halide.vectorize %f "ii" : !halide.func<f32, 1>
  }
}

driver.program @tails inputs ["x"] outputs ["y"] {
^bb0(%x: memref<9xf32>, %y: memref<9xf32>):
  %a = driver.buffer : memref<9xf32>
  driver.call @guarded(%x) to (%a) : (memref<9xf32>) to (memref<9xf32>)
  %b = driver.buffer : memref<9xf32>
  driver.call @overlapping(%a) to (%b) : (memref<9xf32>) to (memref<9xf32>)
  %c = driver.buffer : memref<9xf32>
  driver.call @implicit(%b) to (%c) : (memref<9xf32>) to (memref<9xf32>)
  %d = driver.buffer : memref<9xf32>
  driver.call @guarded(%c) to (%d) : (memref<9xf32>) to (memref<9xf32>)
  driver.call @guarded(%d) to (%y) : (memref<9xf32>) to (memref<9xf32>)
}

// CHECK-LABEL: driver.program @tails
// CHECK:         driver.call @guarded(%x) to (%a)
// CHECK:         driver.call @overlapping(%a) to (%b)
// CHECK:         driver.call @implicit(%b) to (%c)
// CHECK-NEXT:    driver.call @guarded(%c) to (%c)
// CHECK-NEXT:    driver.call @guarded(%c) to (%y)
