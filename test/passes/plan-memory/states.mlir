// RUN: autodeploy-opt %s --plan-memory | filecheck %s

// States have memory of their own, one after the other, and take none of the arena.

// CHECK:      driver.program @net inputs [] outputs [] arena 64 state 192
// CHECK:        driver.state "a" from "an" {offset = 0 : i64} : memref<24xf32>
// CHECK-NEXT:   driver.state "b" from "bn" {offset = 128 : i64} : memref<2xf32>
driver.program @net inputs [] outputs [] {
^bb0:
  %a, %an = driver.state "a" from "an" : memref<24xf32>
  %b, %bn = driver.state "b" from "bn" : memref<2xf32>
  %t = driver.buffer : memref<2xf32>
  driver.copy %b to %t : memref<2xf32> to memref<2xf32>
  driver.copy %t to %bn : memref<2xf32> to memref<2xf32>
}
