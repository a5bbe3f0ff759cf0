// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{a freestanding program has one thread [program_c8]}}
driver.program @net inputs ["x"] outputs [] freestanding threads 2 {
^bb0(%x: memref<3xui8>):
}

// -----

// expected-error@+1 {{a freestanding program has embedded weights [program_c8]}}
driver.program @net inputs ["x"] outputs [] weights 64 freestanding {
^bb0(%x: memref<3xui8>):
}
