// RUN: autodeploy-opt --compute-in-place --split-input-file %s | filecheck %s

// What a step computes may take the place of what it read. Nothing is exchanged then.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @kept inputs ["x"] outputs ["y"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %a = driver.buffer : memref<8xf32>
  %b = driver.buffer : memref<8xf32>
  driver.copy %x to %a : memref<8xf32> to memref<8xf32>
  driver.for steps 3 exchange %a with %b : memref<8xf32> with memref<8xf32> {
    driver.call @k(%a) to (%b) : (memref<8xf32>) to (memref<8xf32>)
    driver.copy %b to %y : memref<8xf32> to memref<8xf32>
  }
}

// CHECK-LABEL: driver.program @kept
// CHECK:         driver.for steps 3 {
// CHECK-NEXT:      driver.call @k(%a) to (%a)
// CHECK-NEXT:      driver.copy %a to %y

// -----

// It stays apart where the step reads the old value once more, and what a loop reads of the memory
// around it is never written over: the next step needs it.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @apart inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
  %a = driver.buffer : memref<8xf32>
  %b = driver.buffer : memref<8xf32>
  driver.copy %x to %a : memref<8xf32> to memref<8xf32>
  %outer = driver.buffer : memref<8xf32>
  driver.copy %x to %outer : memref<8xf32> to memref<8xf32>
  driver.for steps 3 exchange %a with %b : memref<8xf32> with memref<8xf32> {
    driver.call @k(%a) to (%b) : (memref<8xf32>) to (memref<8xf32>)
    driver.call @k(%a) to (%y) : (memref<8xf32>) to (memref<8xf32>)
    %t = driver.buffer : memref<8xf32>
    driver.call @k(%outer) to (%t) : (memref<8xf32>) to (memref<8xf32>)
    driver.call @k(%t) to (%z) : (memref<8xf32>) to (memref<8xf32>)
  }
}

// CHECK-LABEL: driver.program @apart
// CHECK:         driver.for steps 3 exchange %a with %b
// CHECK:           driver.call @k(%a) to (%b)
// CHECK:           driver.call @k(%outer) to (%t)
