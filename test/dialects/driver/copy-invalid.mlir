// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A copy goes to as many other bytes, which are not a weight's or an input's.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<5xf32>):
  // expected-error@+1 {{memref<4xf32> has other bytes than memref<5xf32> [copy_c1]}}
  driver.copy %x to %y : memref<4xf32> to memref<5xf32>
}

// -----

driver.program @net inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  %b = driver.view %a : memref<4xf32> to memref<2x2xf32>
  // expected-error@+1 {{source and target are the same bytes [copy_c3]}}
  driver.copy %a to %b : memref<4xf32> to memref<2x2xf32>
}

// -----

driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
  // expected-error@+1 {{a driver.weight is only read [memref_c5]}}
  driver.copy %x to %w : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @net inputs ["x", "y"] outputs ["z"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>):
  %v = driver.view %y : memref<4xf32> to memref<2x2xf32>
  // expected-error@+1 {{input 'y' of the program is only read [memref_c6]}}
  driver.copy %x to %v : memref<4xf32> to memref<2x2xf32>
}

// -----

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4x4xf32>):
  %v = driver.view %y : memref<4x4xf32> to memref<4x1xf32, strided<[4, 1]>>
  // expected-error@+1 {{memref<4xf32> has another shape than memref<4x1xf32, strided<[4, 1]>> [copy_c2]}}
  driver.copy %x to %v : memref<4xf32> to memref<4x1xf32, strided<[4, 1]>>
}

// -----

// Slices that do not meet are different bytes, others may not be.

driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<4x4xf32>):
  %a = driver.view %y : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  %b = driver.view %y {offset = 2 : i64} : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  %c = driver.view %y {offset = 1 : i64} : memref<4x4xf32> to memref<4x2xf32, strided<[4, 1]>>
  driver.copy %a to %b : memref<4x2xf32, strided<[4, 1]>> to memref<4x2xf32, strided<[4, 1]>>
  // expected-error@+1 {{source and target are the same bytes [copy_c3]}}
  driver.copy %a to %c : memref<4x2xf32, strided<[4, 1]>> to memref<4x2xf32, strided<[4, 1]>>
}

// -----

builtin.module {
  %a, %b = "test.op"() : () -> (memref<4xf32>, memref<4xf32>)
  // expected-error@+1 {{expected driver.program or driver.for or driver.if around, found builtin.module [parent_c1]}}
  driver.copy %a to %b : memref<4xf32> to memref<4xf32>
}
