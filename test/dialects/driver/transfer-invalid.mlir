// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A transfer is of a whole block, between the processor and the device, outside of loops and choices.

driver.program @types inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a = driver.buffer on_device : memref<2x2xf32>
  // expected-error@+1 {{whole blocks of one type are transferred [transfer_c1]}}
  driver.transfer %x to %a : memref<4xf32> to memref<2x2xf32>
}

// -----

driver.program @part inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %v = driver.view %x : memref<4xf32> to memref<2xf32>
  %a = driver.buffer on_device : memref<2xf32>
  // expected-error@+1 {{whole blocks of one type are transferred [transfer_c1]}}
  driver.transfer %v to %a : memref<2xf32> to memref<2xf32>
}

// -----

driver.program @into_part inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  %v = driver.view %y : memref<4xf32> to memref<4xf32>
  %a = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{whole blocks of one type are transferred [transfer_c1]}}
  driver.transfer %a to %v : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @processor inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{one of the blocks is on the device [transfer_c2]}}
  driver.transfer %x to %y : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @device inputs [] outputs [] {
  %a = driver.buffer on_device : memref<4xf32>
  %b = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{one of the blocks is on the device [transfer_c2]}}
  driver.transfer %a to %b : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @weight inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> on_device : memref<4xf32>
  // expected-error@+1 {{a driver.weight is only read [memref_c5]}}
  driver.transfer %x to %w : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @input inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{input 'x' of the program is only read [memref_c6]}}
  driver.transfer %a to %x : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @loop inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  driver.for steps 3 {
    // expected-error@+1 {{expected driver.program around, found driver.for [parent_c1]}}
    driver.transfer %x to %a : memref<4xf32> to memref<4xf32>
  }
}
