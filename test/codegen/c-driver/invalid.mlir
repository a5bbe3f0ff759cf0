// RUN: autodeploy-opt %s -t c-driver --split-input-file --verify-diagnostics

// What no C program can be made from.

// expected-error@below {{expected one driver.program in the module, found 0 (and func.func)}}
func.func @main() {
  func.return
}

// -----

// expected-error@below {{expected one driver.program in the module, found 2}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 {
^bb0(%y: memref<8xf32>):
}
driver.program @q inputs [] outputs ["y"] arena 0 weights 0 {
^bb0(%y: memref<8xf32>):
}

// -----

// expected-error@below {{driver.program 'p' has no outputs}}
driver.program @p inputs ["x"] outputs [] arena 0 weights 0 {
^bb0(%x: memref<8xf32>):
}

// -----

// expected-error@below {{the C program cannot hold 'nn.constant'}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 {
^bb0(%y: memref<8xf32>):
  %0 = nn.constant #nn.dense<0.0 : tensor<8xf32>>
}

// -----

// expected-error@below {{a kernel addresses at most 2147483647 elements, found memref<65536x32768xi8>}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 {
^bb0(%y: memref<65536x32768xi8>):
}
