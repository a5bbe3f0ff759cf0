// RUN: autodeploy-opt --plan-memory --split-input-file %s | filecheck %s

// What a loop reads of the memory around it stays until the last step: %x shares no byte with %t,
// although no call behind its own reads it. A buffer of the region is alive within a step alone, so
// %t and %u may share theirs.

driver.program @around inputs [] outputs ["y"] {
^bb0(%y: memref<16xf32>):
  %x = driver.buffer : memref<16xf32>
  driver.for steps 3 {
    %t = driver.buffer : memref<16xf32>
    driver.copy %x to %t : memref<16xf32> to memref<16xf32>
    %u = driver.buffer : memref<16xf32>
    driver.copy %t to %y : memref<16xf32> to memref<16xf32>
    driver.copy %u to %y : memref<16xf32> to memref<16xf32>
  }
}

// CHECK-LABEL: driver.program @around
// CHECK-SAME:    arena 128
// CHECK:         %x = driver.buffer {offset = [[X:[0-9]+]] : i64}
// CHECK:         %t = driver.buffer {offset = [[T:[0-9]+]] : i64}
// CHECK:         %u = driver.buffer {offset = [[T]] : i64}

// -----

// Buffers that a loop exchanges are alive together: %b may hold the last value of %a behind the
// loop, and does not share its bytes with %c.

driver.program @exchanged inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>, %z: memref<16xf32>):
  %a = driver.buffer : memref<16xf32>
  %b = driver.buffer : memref<16xf32>
  driver.copy %x to %a : memref<16xf32> to memref<16xf32>
  driver.for steps 3 exchange %a with %b : memref<16xf32> with memref<16xf32> {
    driver.copy %a to %b : memref<16xf32> to memref<16xf32>
  }
  %c = driver.buffer : memref<16xf32>
  driver.copy %x to %c : memref<16xf32> to memref<16xf32>
  driver.copy %c to %z : memref<16xf32> to memref<16xf32>
  driver.copy %a to %y : memref<16xf32> to memref<16xf32>
}

// CHECK-LABEL: driver.program @exchanged
// CHECK-SAME:    arena 192

// -----

// Only one branch of a choice runs: their buffers share bytes.

driver.program @branches inputs ["c"] outputs ["y"] {
^bb0(%c: memref<i1>, %y: memref<16xf32>):
  driver.if %c : memref<i1> {
    %t = driver.buffer : memref<16xf32>
    driver.copy %t to %y : memref<16xf32> to memref<16xf32>
  } else {
    %t = driver.buffer : memref<16xf32>
    driver.copy %t to %y : memref<16xf32> to memref<16xf32>
  }
}

// CHECK-LABEL: driver.program @branches
// CHECK-SAME:    arena 64
