// RUN: autodeploy-opt --elide-copies --split-input-file %s | filecheck %s

// A step computes its row in place; what the loop begins with is computed where the loop reads it.

halide.pipeline @k(%x: !halide.buffer<f32, [16]>) to (%y: !halide.buffer<f32, [16]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [16]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [16]>
}

driver.program @rows inputs ["x"] outputs ["y"] {
^bb0(%x: memref<16xf32>, %y: memref<3x16xf32>):
  %start = driver.buffer : memref<16xf32>
  driver.call @k(%x) to (%start) : (memref<16xf32>) to (memref<16xf32>)
  %a = driver.buffer : memref<16xf32>
  %b = driver.buffer : memref<16xf32>
  driver.copy %start to %a : memref<16xf32> to memref<16xf32>
  driver.for steps 3 exchange %a with %b : memref<16xf32> with memref<16xf32> {
    %row = driver.row %y : memref<3x16xf32> to memref<16xf32>
    %t = driver.buffer : memref<16xf32>
    driver.call @k(%a) to (%t) : (memref<16xf32>) to (memref<16xf32>)
    driver.call @k(%t) to (%b) : (memref<16xf32>) to (memref<16xf32>)
    driver.copy %t to %row : memref<16xf32> to memref<16xf32>
  }
}

// CHECK-LABEL: driver.program @rows
// CHECK:         driver.call @k(%x) to (%{{.*}})
// CHECK-NOT:     driver.copy
// CHECK:         driver.for
// CHECK:           driver.call @k(%a) to (%{{.*}})
// CHECK-NOT:       driver.copy

// -----

// The copy stays where the loop still reads what it began with.

halide.pipeline @k(%x: !halide.buffer<f32, [16]>) to (%y: !halide.buffer<f32, [16]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [16]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [16]>
}

driver.program @still_read inputs ["x"] outputs ["y"] {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
  %start = driver.buffer : memref<16xf32>
  driver.call @k(%x) to (%start) : (memref<16xf32>) to (memref<16xf32>)
  %a = driver.buffer : memref<16xf32>
  %b = driver.buffer : memref<16xf32>
  driver.copy %start to %a : memref<16xf32> to memref<16xf32>
  driver.for steps 3 exchange %a with %b : memref<16xf32> with memref<16xf32> {
    driver.call @k(%start) to (%b) : (memref<16xf32>) to (memref<16xf32>)
  }
}

// CHECK-LABEL: driver.program @still_read
// CHECK:         driver.copy %start to %a
