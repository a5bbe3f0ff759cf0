// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A program says which of its bytes hold elements that are stored only.

driver.program @net inputs ["x"] outputs ["y"] stored [tensor<3xi4>, tensor<2xf32>] {
^bb0(%x: memref<2xui8>, %y: memref<2xf32>):
}

// CHECK: driver.program @net inputs ["x"] outputs ["y"] stored [tensor<3xi4>, tensor<2xf32>] {
