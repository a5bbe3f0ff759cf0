// RUN: autodeploy-opt --place-weights %s | filecheck %s

// Offsets and sizes that are there are replaced; a program without weights has none.

driver.program @net inputs ["x"] outputs ["y"] arena 64 weights 704 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 640 : i64} : memref<4xf32>
  driver.copy %a to %y : memref<4xf32> to memref<4xf32>
}

driver.program @none inputs ["x"] outputs ["y"] weights 64 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  driver.copy %x to %y : memref<4xf32> to memref<4xf32>
}

// CHECK: @net inputs ["x"] outputs ["y"] arena 64 weights 64 {
// CHECK: %a = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 0 : i64}
// CHECK: @none inputs ["x"] outputs ["y"] weights 0 {
