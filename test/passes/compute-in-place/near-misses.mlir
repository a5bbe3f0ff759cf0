// RUN: autodeploy-opt --compute-in-place --split-input-file %s | filecheck %s

// The operand is read again later.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @later inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
  %a = driver.buffer : memref<8xf32>
  driver.call @k(%x) to (%a) : (memref<8xf32>) to (memref<8xf32>)
  %b = driver.buffer : memref<8xf32>
  driver.call @k(%a) to (%b) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%a) to (%y) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%b) to (%z) : (memref<8xf32>) to (memref<8xf32>)
}

// CHECK-LABEL: driver.program @later
// CHECK:         driver.call @k(%a) to (%b)

// -----

// It is a part of a buffer; the result is one of a buffer.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @parts inputs ["x"] outputs ["y"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %a = driver.buffer : memref<16xf32>
  %half = driver.view %a : memref<16xf32> to memref<8xf32>
  driver.call @k(%x) to (%half) : (memref<8xf32>) to (memref<8xf32>)
  %b = driver.buffer : memref<8xf32>
  driver.call @k(%half) to (%b) : (memref<8xf32>) to (memref<8xf32>)
  %c = driver.buffer : memref<16xf32>
  %part = driver.view %c : memref<16xf32> to memref<8xf32>
  driver.call @k(%b) to (%part) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%part) to (%y) : (memref<8xf32>) to (memref<8xf32>)
}

// CHECK-LABEL: driver.program @parts
// CHECK:         driver.call @k(%half) to (%b)
// CHECK:         driver.call @k(%b) to (%part)

// -----

// An element is computed from another one, or by a func ahead of the one that fills the output.

halide.pipeline @shifted(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %seven = halide.const 7 : i32
    %other = halide.sub %seven, %i : i32
    %v = halide.load %x[%other] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

halide.pipeline @ahead(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %g = halide.func "g"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %g[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @elements inputs ["x"] outputs ["y"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %a = driver.buffer : memref<8xf32>
  driver.call @shifted(%x) to (%a) : (memref<8xf32>) to (memref<8xf32>)
  %b = driver.buffer : memref<8xf32>
  driver.call @shifted(%a) to (%b) : (memref<8xf32>) to (memref<8xf32>)
  %c = driver.buffer : memref<8xf32>
  driver.call @ahead(%b) to (%c) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @ahead(%c) to (%y) : (memref<8xf32>) to (memref<8xf32>)
}

// CHECK-LABEL: driver.program @elements
// CHECK:         driver.call @shifted(%a) to (%b)
// CHECK:         driver.call @ahead(%b) to (%c)

// -----

// Another operand is the same memory.

halide.pipeline @sum(%x: !halide.buffer<f32, [8]>, %z: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %seven = halide.const 7 : i32
    %other = halide.sub %seven, %i : i32
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %w = halide.load %z[%other] : !halide.buffer<f32, [8]> to f32
    %s = halide.add %v, %w : f32
    halide.yield %s : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @twice inputs ["x"] outputs ["y"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>):
  %a = driver.buffer : memref<8xf32>
  driver.call @sum(%x, %x) to (%a) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  %b = driver.buffer : memref<8xf32>
  driver.call @sum(%a, %a) to (%b) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
  driver.call @sum(%b, %x) to (%y) : (memref<8xf32>, memref<8xf32>) to (memref<8xf32>)
}

// CHECK-LABEL: driver.program @twice
// CHECK:         driver.call @sum(%a, %a) to (%b)
