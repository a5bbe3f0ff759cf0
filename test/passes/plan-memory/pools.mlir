// RUN: autodeploy-opt '--plan-memory=print-map=true pools="fast=300,slow=1K"' %s 2>&1 >/dev/null | filecheck %s
// RUN: autodeploy-opt '--plan-memory=pools="fast=300,slow=1K"' %s | filecheck %s --check-prefix IR
// RUN: autodeploy-opt '--plan-memory=pools="fast=300,slow=1K"' %s | autodeploy-opt --plan-memory | filecheck %s --check-prefix AGAIN
// RUN: not autodeploy-opt '--plan-memory=pools="fast=300,slow=500"' %s 2>&1 | filecheck %s --check-prefix SMALL
// RUN: not autodeploy-opt '--plan-memory=pools="fast=64,slow=1K,more"' %s 2>&1 | filecheck %s --check-prefix WORDS

// All are used twice, so the smallest is first: %c, then %a, which is dead by then. Of the first pool
// 256 bytes count, whole steps of 64. Offsets in the second one follow those in the first one.

// CHECK:          0    128 bytes        2..3  copy
// CHECK:        256    512 bytes        1..2  copy
// CHECK:      arena 768 bytes
// CHECK-NEXT: pool fast from offset 0
// CHECK-NEXT: pool slow from offset 256

// IR: arena 768 pools ["fast", "slow"] starts [0, 256] {
// IR: driver.buffer {offset = 0 : i64} : memref<64xf32>
// IR: driver.buffer {offset = 256 : i64} : memref<128xf32>
// IR: driver.buffer {offset = 0 : i64} : memref<32xf32>

// AGAIN: arena 768 {

// SMALL: error: pool 'slow' has 500 bytes, the rest of the arena takes 512 bytes; its largest parts are the result of copy 512 bytes
// WORDS: error: a pool is a name in C and its bytes, as 'dtcm=128K', found 'more'

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<64xf32>, %y: memref<32xf32>):
  %a = driver.buffer : memref<64xf32>
  driver.copy %x to %a : memref<64xf32> to memref<64xf32>
  %b = driver.buffer : memref<128xf32>
  %b0 = driver.view %b : memref<128xf32> to memref<64xf32>
  driver.copy %a to %b0 : memref<64xf32> to memref<64xf32>
  %b1 = driver.view %b : memref<128xf32> to memref<32xf32>
  %c = driver.buffer : memref<32xf32>
  driver.copy %b1 to %c : memref<32xf32> to memref<32xf32>
  driver.copy %c to %y : memref<32xf32> to memref<32xf32>
}
