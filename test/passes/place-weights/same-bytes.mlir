// RUN: autodeploy-opt --place-weights %s | filecheck %s

// Weights with one name of their bytes are stored once, whatever their shapes are.

driver.program @net inputs [] outputs ["a", "b", "c"] {
^bb0(%a: memref<4x8xf32>, %b: memref<32xf32>, %c: memref<4xf32>):
  %rows = driver.weight #nn.weight<"00" : tensor<4x8xf32>> : memref<4x8xf32>
  %list = driver.weight #nn.weight<"00" : tensor<32xf32>> : memref<32xf32>
  %other = driver.weight #nn.weight<"01" : tensor<4xf32>> : memref<4xf32>
  driver.copy %rows to %a : memref<4x8xf32> to memref<4x8xf32>
  driver.copy %list to %b : memref<32xf32> to memref<32xf32>
  driver.copy %other to %c : memref<4xf32> to memref<4xf32>
}

// CHECK: weights 192 {
// CHECK: %rows = driver.weight {{.*}} {offset = 0 : i64}
// CHECK: %list = driver.weight {{.*}} {offset = 0 : i64}
// CHECK: %other = driver.weight {{.*}} {offset = 128 : i64}
