// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<3x2x4xf32>, %y: memref<3x5x5xf32>):
  // expected-error@+1 {{memref<3x2x4xf32> does not fit into memref<3x5x5xf32> outside of axis 1 [join_c1]}}
  driver.join %x to %y from 0 on 1 : memref<3x2x4xf32> to memref<3x5x5xf32>
}

// -----

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<3x2x4xf32>, %y: memref<3x5x4xf32>):
  // expected-error@+1 {{memref<3x2x4xf32> from 4 on does not end within memref<3x5x4xf32> [join_c2]}}
  driver.join %x to %y from 4 on 1 : memref<3x2x4xf32> to memref<3x5x4xf32>
}

// -----

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<3x2x8xf32>, %y: memref<3x5x4xf32>):
  %v = driver.view %x : memref<3x2x8xf32> to memref<3x2x4xf32, strided<[16, 8, 2]>>
  // expected-error@+1 {{rows of memref<3x2x4xf32, strided<[16, 8, 2]>> inside of axis 1 have gaps [join_c3]}}
  driver.join %v to %y from 0 on 1 : memref<3x2x4xf32, strided<[16, 8, 2]>> to memref<3x5x4xf32>
}

// -----

driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<6x4xf32>):
  %v = driver.view %y : memref<6x4xf32> to memref<2x4xf32>
  // expected-error@+1 {{source and target are the same bytes [join_c4]}}
  driver.join %v to %y from 4 on 0 : memref<2x4xf32> to memref<6x4xf32>
}

// -----

driver.program @net inputs ["x"] outputs ["y"] open <"n", 1 to 2> in [array<i64: 1, 0>, array<i64: 1, 0>] {
^bb0(%x: memref<2x4xf32>, %y: memref<2x4xf32>):
  // expected-error@+1 {{expected how one number grows, found array<i64: 1, 1> [join_c5]}}
  driver.join %x to %y from 0 on 0 behind array<i64: 1, 1> : memref<2x4xf32> to memref<2x4xf32>
}

// -----

driver.program @net inputs ["x", "y"] outputs [] {
^bb0(%x: memref<2x4xf32>, %y: memref<6x4xf32>):
  // expected-error@+1 {{input 'y' of the program is only read [memref_c6]}}
  driver.join %x to %y from 0 on 0 : memref<2x4xf32> to memref<6x4xf32>
}
