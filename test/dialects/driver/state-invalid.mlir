// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

driver.program @net inputs [] outputs [] {
^bb0:
  // expected-error@+1 {{rows are a number and a sum on an axis of memref<4x2xf32>, found affine_map<(d0) -> (d0, (d0 + 1))> on 2 [state_c2]}}
  %a, %b = driver.state "x" from "y" rows affine_map<(n) -> (n, n + 1)> on 2 : memref<4x2xf32>
}

// -----

driver.program @net inputs [] outputs [] {
^bb0:
  // expected-error@+1 {{rows are a number and a sum on an axis of memref<4x2xf32>, found array<i64: 2, 3> on 0 [state_c2]}}
  %a, %b = driver.state "x" from "y" rows array<i64: 2, 3> on 0 : memref<4x2xf32>
}

// -----

driver.program @net inputs [] outputs [] {
^bb0:
  // expected-error@+1 {{names are in ASCII, found 'é' [state_c1]}}
  %a, %b = driver.state "é" from "y" : memref<4xf32>
}

// -----

driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a, %b = driver.state "h" from "hn" : memref<4xf32>
  // expected-error@+1 {{what a run finds of a state is only read [memref_c7]}}
  driver.copy %x to %a : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @net inputs [] outputs [] {
^bb0:
  %a, %b = driver.state "h" from "hn" : memref<4xf32>
  // expected-error@+1 {{source and target are the same bytes [copy_c3]}}
  driver.copy %a to %b : memref<4xf32> to memref<4xf32>
}

// -----

// expected-error@+1 {{states, inputs and outputs have different names [program_c18]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a, %b = driver.state "x" from "y" : memref<4xf32>
}

// -----

// expected-error@+1 {{memref<4x2xf32> has no memory for n + 1 rows in each run [program_c19]}}
driver.program @net inputs [] outputs [] open <"n", 0 to 4> {
^bb0:
  %a, %b = driver.state "x" from "y" rows affine_map<(n) -> (n, n + 1)> on 0 : memref<4x2xf32>
}

// -----

// expected-error@+1 {{memref<4x2xf32> has no memory for n + 1 rows in each run [program_c19]}}
driver.program @net inputs [] outputs [] {
^bb0:
  %a, %b = driver.state "x" from "y" rows affine_map<(n) -> (n, n + 1)> on 0 : memref<4x2xf32>
}

// -----

// expected-error@+1 {{states with one number leave n + 1 and n + 2 rows [program_c20]}}
driver.program @net inputs [] outputs [] open <"n", 0 to 2> {
^bb0:
  %a, %b = driver.state "x" from "y" rows affine_map<(n) -> (n, n + 1)> on 0 : memref<4x2xf32>
  %c, %d = driver.state "v" from "w" rows affine_map<(n) -> (n, n + 2)> on 0 : memref<4x2xf32>
}

// -----

// expected-error@+1 {{driver.copy reads of state 'h' memref<4xf32> after it is written [program_c21]}}
driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a, %b = driver.state "h" from "hn" : memref<4xf32>
  driver.copy %x to %b : memref<4xf32> to memref<4xf32>
  driver.copy %a to %y : memref<4xf32> to memref<4xf32>
}

// -----

// expected-error@+1 {{driver.copy reads of state 'h' memref<4xf32> before it is written [program_c21]}}
driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  %a, %b = driver.state "h" from "hn" : memref<4xf32>
  driver.copy %b to %y : memref<4xf32> to memref<4xf32>
}

// -----

// expected-error@+1 {{driver.copy writes memref<4xf32> in a region [program_c21]}}
driver.program @net inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a, %b = driver.state "h" from "hn" : memref<4xf32>
  driver.for steps 2 {
    driver.copy %x to %b : memref<4xf32> to memref<4xf32>
  }
}

// -----

// expected-error@+1 {{state is not negative, found -64 bytes [program_c3]}}
driver.program @net inputs [] outputs [] state -64 {
^bb0:
}
