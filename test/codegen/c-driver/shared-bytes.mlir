// RUN: autodeploy-opt %s -t c-driver --split-input-file --verify-diagnostics

// What is alive at one call has bytes of its own.

// expected-error@below {{64 bytes at offset 0 and 64 bytes at offset 0 share bytes that are alive at one call}}
builtin.module {
  driver.program @net inputs ["x"] outputs ["y"] arena 128 weights 0 {
  ^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
    %a = driver.buffer {offset = 0 : i64} : memref<16xf32>
    %b = driver.buffer {offset = 0 : i64} : memref<16xf32>
    driver.copy %x to %a : memref<16xf32> to memref<16xf32>
    driver.copy %a to %b : memref<16xf32> to memref<16xf32>
    driver.copy %b to %y : memref<16xf32> to memref<16xf32>
  }
}

// -----

// Scratch is alive at its call.

// expected-error@below {{320 bytes at offset 0 and 64 bytes at offset 64 share bytes that are alive at one call}}
builtin.module {
  halide.pipeline @copy_0(%x: !halide.buffer<f32, [16]>) to (%y: !halide.buffer<f32, [16]>) scratch 320 {
    %f = halide.func "f"(x %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [16]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [16]>
  }
  driver.program @net inputs ["x"] outputs ["y"] arena 384 weights 0 {
  ^bb0(%x: memref<16xf32>, %y: memref<16xf32>):
    %a = driver.buffer {offset = 64 : i64} : memref<16xf32>
    driver.copy %x to %a : memref<16xf32> to memref<16xf32>
    driver.call @copy_0(%a) to (%y) {scratch = 0 : i64} : (memref<16xf32>) to (memref<16xf32>)
  }
}
