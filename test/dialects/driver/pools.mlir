// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// An arena in two memories, whose offsets count through both; a memory may have no bytes.

driver.program @net inputs [] outputs [] arena 128 pools ["dtcm", "sram"] starts [0, 64] weights 0 {
^bb0:
}

driver.program @none inputs [] outputs [] arena 0 pools ["a", "b"] starts [0, 0] {
^bb0:
}

// CHECK: driver.program @net inputs [] outputs [] arena 128 pools ["dtcm", "sram"] starts [0, 64] weights 0 {
// CHECK: driver.program @none inputs [] outputs [] arena 0 pools ["a", "b"] starts [0, 0] {
