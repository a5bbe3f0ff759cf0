// RUN: autodeploy-opt --place-weights=embed=true %s | filecheck %s
// RUN: autodeploy-opt --place-weights=embed=true --place-weights %s | filecheck %s --check-prefix=FILE

// Weights that are linked in have the same places as those in a file.

driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  %w = driver.weight #nn.dense<3.0 : tensor<4xf32>> : memref<4xf32>
  driver.copy %w to %y : memref<4xf32> to memref<4xf32>
}

// CHECK: outputs ["y"] weights 64 embedded {
// CHECK: driver.weight #nn.dense<3.0 : tensor<4xf32>> {offset = 0 : i64}

// FILE: outputs ["y"] weights 64 {
