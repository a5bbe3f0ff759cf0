// RUN: autodeploy-opt --share-weights %s | filecheck %s

// Large weights lie in front of the small ones of all programs, each at a multiple of 256 bytes.

module @wide {
  driver.program @net inputs [] outputs ["y"] weights 4160 {
  ^bb0(%y: memref<4xf32>):
    %large = driver.weight #nn.dense<1.0 : tensor<1025xf32>> {offset = 0 : i64} : memref<1025xf32>
    %small = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 4352 : i64} : memref<4xf32>
    driver.copy %small to %y : memref<4xf32> to memref<4xf32>
  }
}
module @narrow {
  driver.program @net inputs [] outputs ["y"] weights 4160 {
  ^bb0(%y: memref<4xf32>):
    %other = driver.weight #nn.dense<3.0 : tensor<1024xf32>> {offset = 0 : i64} : memref<1024xf32>
    %same = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 4096 : i64} : memref<4xf32>
    driver.copy %same to %y : memref<4xf32> to memref<4xf32>
  }
}

// CHECK:      @wide
// CHECK-NEXT:   outputs ["y"] weights 8512 {
// CHECK:        %large = driver.weight #nn.dense<1.0 : tensor<1025xf32>> {offset = 0 : i64}
// CHECK-NEXT:   %small = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 8448 : i64}
// CHECK:      @narrow
// CHECK-NEXT:   outputs ["y"] weights 8512 {
// CHECK:        %other = driver.weight #nn.dense<3.0 : tensor<1024xf32>> {offset = 4352 : i64}
// CHECK-NEXT:   %same = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 8448 : i64}
