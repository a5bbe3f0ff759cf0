// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A program that is one of several says for which machine it is.

driver.program @net inputs ["x"] outputs ["y"] x86_sets ["avx"] variant "x86-64-avx2:l2=1M" {
^bb0(%x: memref<2xf32>, %y: memref<2xf32>):
}

// CHECK: driver.program @net inputs ["x"] outputs ["y"] x86_sets ["avx"] variant "x86-64-avx2:l2=1M" {
