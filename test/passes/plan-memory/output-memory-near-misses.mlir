// RUN: autodeploy-opt --plan-memory %s --split-input-file | filecheck %s

// Buffers that stay in the arena, though an output is not written yet.

// The 512 bytes of %y may begin at a byte that is not aligned: 448 are sure to be.

// CHECK-LABEL: @exact
// CHECK:       arena 1024 {
// CHECK-NOT:   output =
halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

driver.program @exact inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<128xf32>):
  %a = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
  %b = driver.buffer : memref<128xf32>
  driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
  driver.call @k(%b) to (%y) : (memref<128xf32>) to (memref<128xf32>)
}

// -----

// A part of %y is written at once, and another one at the end.

// CHECK-LABEL: @written
// CHECK:       arena 1024 {
// CHECK-NOT:   output =
halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

driver.program @written inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<4x128xf32>):
  %first = driver.view %y : memref<4x128xf32> to memref<128xf32>
  driver.call @k(%x) to (%first) : (memref<128xf32>) to (memref<128xf32>)
  %a = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
  %b = driver.buffer : memref<128xf32>
  driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
  %last = driver.view %y {offset = 384 : i64} : memref<4x128xf32> to memref<128xf32>
  driver.call @k(%b) to (%last) : (memref<128xf32>) to (memref<128xf32>)
}

// -----

// %b and %c are alive when %y is written: the arena is no smaller without %a.

// CHECK-LABEL: @useless
// CHECK:       arena 1024 {
// CHECK-NOT:   output =
halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

driver.program @useless inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<4x128xf32>):
  %a = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
  %b = driver.buffer : memref<128xf32>
  driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
  %c = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%c) : (memref<128xf32>) to (memref<128xf32>)
  %first = driver.view %y : memref<4x128xf32> to memref<128xf32>
  driver.call @k(%b) to (%first) : (memref<128xf32>) to (memref<128xf32>)
  %last = driver.view %y {offset = 384 : i64} : memref<4x128xf32> to memref<128xf32>
  driver.call @k(%c) to (%last) : (memref<128xf32>) to (memref<128xf32>)
}

// -----

// The memory of %y is what the caller brings for the rows of a run.

// CHECK-LABEL: @open
// CHECK:       arena 1024
// CHECK-NOT:   output =
halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

driver.program @open inputs ["n", "x"] outputs ["y"] open <"n", 1 to 4> in [array<i64: 1, 0>, array<i64: 0>, array<i64: 1, 0>] {
^bb0(%n: memref<4x128xf32>, %x: memref<128xf32>, %y: memref<4x128xf32>):
  %a = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
  %b = driver.buffer : memref<128xf32>
  driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
  driver.copy %n to %y : memref<4x128xf32> to memref<4x128xf32>
}

// -----

// A loop may write what it has of %y before a step ends.

// CHECK-LABEL: @loop
// CHECK:       arena 1024
// CHECK-NOT:   output =
halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

driver.program @loop inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<4x128xf32>):
  driver.for steps 4 {
    %a = driver.buffer : memref<128xf32>
    driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
    %b = driver.buffer : memref<128xf32>
    driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
    %row = driver.row %y : memref<4x128xf32> to memref<128xf32>
    driver.call @k(%b) to (%row) : (memref<128xf32>) to (memref<128xf32>)
  }
}

// -----

// What the loop leaves in the memory of %a and %b begins the next run, with another %y.

// CHECK-LABEL: @exchange
// CHECK:       arena 1024
// CHECK-NOT:   output =
halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

driver.program @exchange inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<1024xf32>):
  %a = driver.buffer : memref<128xf32>
  %b = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
  driver.for steps 3 exchange %a with %b : memref<128xf32> with memref<128xf32> {
    driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
  }
  %part = driver.view %y : memref<1024xf32> to memref<128xf32>
  driver.call @k(%a) to (%part) : (memref<128xf32>) to (memref<128xf32>)
}
