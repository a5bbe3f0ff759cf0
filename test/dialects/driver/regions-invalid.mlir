// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Loops that do not end, and memory that a loop cannot exchange or reach by rows.

driver.program @endless inputs [] outputs [] {
  // expected-error@+1 {{expected steps, trips or a condition, found an endless loop [for_c1]}}
  driver.for {
  }
}

// -----

driver.program @steps inputs [] outputs [] {
  // expected-error@+1 {{steps are not negative, found -1 [for_c1]}}
  driver.for steps -1 {
  }
}

// -----

driver.program @trips inputs ["n"] outputs [] {
^bb0(%n: memref<2xi64>):
  // expected-error@+1 {{trips is one i64, found memref<2xi64> [for_c2]}}
  driver.for trips %n : memref<2xi64> {
  }
}

// -----

driver.program @condition inputs ["c"] outputs [] {
^bb0(%c: memref<i64>):
  // expected-error@+1 {{the condition is one i1, found memref<i64> [for_c2]}}
  driver.for while %c : memref<i64> {
  }
}

// -----

driver.program @counter inputs ["c"] outputs [] {
^bb0(%c: memref<i64>):
  // expected-error@+1 {{input 'c' of the program is only read [memref_c6]}}
  driver.for steps 2 counter %c : memref<i64> {
  }
}

// -----

driver.program @types inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  %b = driver.buffer : memref<2x2xf32>
  // expected-error@+1 {{exchanged buffers have one type [for_c3]}}
  driver.for steps 2 exchange %a with %b : memref<4xf32> with memref<2x2xf32> {
  }
}

// -----

driver.program @twice inputs [] outputs [] {
  %a = driver.buffer : memref<4xf32>
  %b = driver.buffer : memref<4xf32>
  // expected-error@+1 {{a buffer is exchanged with one other, by one loop [for_c3]}}
  driver.for steps 2 exchange %a with %b : memref<4xf32> with memref<4xf32> {
  }
  driver.for steps 2 exchange %a with %b : memref<4xf32> with memref<4xf32> {
  }
}

// -----

driver.program @callers inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  %b = driver.buffer : memref<4xf32>
  // expected-error@+1 {{a whole driver.buffer next to the loop is exchanged [for_c4]}}
  driver.for steps 2 exchange %y with %b : memref<4xf32> with memref<4xf32> {
  }
}

// -----

driver.program @views inputs [] outputs ["y"] {
^bb0(%y: memref<2x2xf32>):
  %a = driver.buffer : memref<4xf32>
  %b = driver.buffer : memref<4xf32>
  %v = driver.view %a : memref<4xf32> to memref<2x2xf32>
  // expected-error@+1 {{a view is of the memory before the exchange [for_c5]}}
  driver.for steps 2 exchange %a with %b : memref<4xf32> with memref<4xf32> {
  }
  driver.copy %v to %y : memref<2x2xf32> to memref<2x2xf32>
}

// -----

driver.program @whole inputs [] outputs ["y", "z"] {
^bb0(%y: memref<3x4xf32>, %z: memref<3x4xf32>):
  %a = driver.buffer : memref<4xf32>
  // expected-error@+1 {{rows that a step writes are named in a second way [for_c6]}}
  driver.for steps 3 {
    %row = driver.row %y : memref<3x4xf32> to memref<4xf32>
    driver.copy %a to %row : memref<4xf32> to memref<4xf32>
    driver.copy %y to %z : memref<3x4xf32> to memref<3x4xf32>
  }
}

// -----

driver.program @choice inputs ["c"] outputs [] {
^bb0(%c: memref<2xi1>):
  // expected-error@+1 {{the condition is one i1, found memref<2xi1> [if_c1]}}
  driver.if %c : memref<2xi1> {
  } else {
  }
}

// -----

driver.program @rows inputs ["x"] outputs [] {
^bb0(%x: memref<3x4xf32>):
  driver.for steps 3 {
    // expected-error@+1 {{memref<2x2xf32> is no row of memref<3x4xf32> [row_c1]}}
    %row = driver.row %x : memref<3x4xf32> to memref<2x2xf32>
  }
}

// -----

driver.program @fewer inputs ["x"] outputs [] {
^bb0(%x: memref<3x4xf32>):
  driver.for steps 4 {
    // expected-error@+1 {{expected a driver.for of 3 steps around [row_c2]}}
    %row = driver.row %x : memref<3x4xf32> to memref<4xf32>
  }
}

// -----

driver.program @inside inputs [] outputs [] {
  driver.for steps 4 {
    // expected-error@+1 {{expected driver.program around, found driver.for [parent_c1]}}
    %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
  }
}

// -----

driver.program @open inputs [] outputs [] {
  // expected-error@+1 {{open says how the steps grow, found array<i64: 1, 0> [for_c7]}}
  driver.for steps 5 open array<i64: 1, 0> {
  }
}

// -----

driver.program @in_output inputs [] outputs ["y"] {
^bb0(%y: memref<64xf32>):
  %a = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<4xf32>
  %b = driver.buffer {offset = 0 : i64} : memref<4xf32>
  // expected-error@+1 {{exchanged buffers are in the arena [for_c8]}}
  driver.for steps 3 exchange %a with %b : memref<4xf32> with memref<4xf32> {
  }
}
