// RUN: autodeploy-opt --place-weights %s | filecheck %s
// RUN: autodeploy-opt --place-weights=embed=true %s | filecheck %s

// Weights of 4096 bytes or more lie in front, in the order of their use, each at a multiple of 256
// bytes. One of 4092 bytes lies among the small ones.

driver.program @net inputs [] outputs ["a", "b", "c", "d", "e"] {
^bb0(%a: memref<4xf32>, %b: memref<1025xf32>, %c: memref<1023xf32>, %d: memref<1024xf32>, %e: memref<4xf32>):
  %first = driver.weight #nn.dense<1.0 : tensor<4xf32>> : memref<4xf32>
  %odd = driver.weight #nn.dense<2.0 : tensor<1025xf32>> : memref<1025xf32>
  %below = driver.weight #nn.dense<3.0 : tensor<1023xf32>> : memref<1023xf32>
  %least = driver.weight #nn.dense<4.0 : tensor<1024xf32>> : memref<1024xf32>
  %last = driver.weight #nn.dense<5.0 : tensor<4xf32>> : memref<4xf32>
  driver.copy %first to %a : memref<4xf32> to memref<4xf32>
  driver.copy %odd to %b : memref<1025xf32> to memref<1025xf32>
  driver.copy %below to %c : memref<1023xf32> to memref<1023xf32>
  driver.copy %least to %d : memref<1024xf32> to memref<1024xf32>
  driver.copy %last to %e : memref<4xf32> to memref<4xf32>
}

// CHECK: weights 12672
// CHECK: %first = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 8448 : i64}
// CHECK: %odd = driver.weight #nn.dense<2.0 : tensor<1025xf32>> {offset = 0 : i64}
// CHECK: %below = driver.weight #nn.dense<3.0 : tensor<1023xf32>> {offset = 8512 : i64}
// CHECK: %least = driver.weight #nn.dense<4.0 : tensor<1024xf32>> {offset = 4352 : i64}
// CHECK: %last = driver.weight #nn.dense<5.0 : tensor<4xf32>> {offset = 12608 : i64}
