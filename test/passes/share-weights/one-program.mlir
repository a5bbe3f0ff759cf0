// RUN: autodeploy-opt --share-weights %s | filecheck %s

// Weights of a program that is alone stay where they are, one that it has twice lies there once.

driver.program @net inputs [] outputs ["y"] weights 192 {
^bb0(%y: memref<4xf32>):
  %a = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 64 : i64} : memref<4xf32>
  %b = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 0 : i64} : memref<4xf32>
  %c = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 128 : i64} : memref<4xf32>
  driver.copy %b to %y : memref<4xf32> to memref<4xf32>
}

// CHECK: outputs ["y"] weights 128 {
// CHECK: %a = {{.*}} {offset = 64 : i64}
// CHECK: %b = {{.*}} {offset = 0 : i64}
// CHECK: %c = {{.*}} {offset = 0 : i64}
