// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A function of the library works on dense operands, and writes none that it reads.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xi64>, %y: memref<4xi64>):
  // expected-error@+1 {{an output overlaps no other operand [library_call_c1]}}
  driver.library_call "order"(%y) to (%y) {parameters = array<i64>} : (memref<4xi64>) to (memref<4xi64>)
}

// -----

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<2x4xi64>, %y: memref<2x2xi64>):
  %part = driver.view %x : memref<2x4xi64> to memref<2x2xi64, strided<[4, 1]>>
  // expected-error@+1 {{expected a dense memref}}
  driver.library_call "order"(%part) to (%y) {parameters = array<i64>} : (memref<2x2xi64, strided<[4, 1]>>) to (memref<2x2xi64>)
}
