// RUN: autodeploy-opt %s -t c-driver --split-input-file --verify-diagnostics

// A buffer is in one memory: the second one begins at offset 64.

// expected-error@below {{128 bytes at offset 0 are in two pools}}
builtin.module {
  driver.program @net inputs ["x"] outputs ["y"] arena 128 pools ["a", "b"] starts [0, 64] weights 0 {
  ^bb0(%x: memref<32xf32>, %y: memref<32xf32>):
    %a = driver.buffer {offset = 0 : i64} : memref<32xf32>
    driver.copy %x to %a : memref<32xf32> to memref<32xf32>
    driver.copy %a to %y : memref<32xf32> to memref<32xf32>
  }
}
