// RUN: autodeploy-opt --share-weights %s | filecheck %s

// A weight that both programs have lies between those that only one has, in the order of each.

module @wide {
  driver.program @net inputs [] outputs ["y"] weights 192 {
  ^bb0(%y: memref<4xf32>):
    %shared = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 0 : i64} : memref<4xf32>
    %own = driver.weight #nn.dense<2.0 : tensor<17xf32>> {offset = 64 : i64} : memref<17xf32>
    driver.copy %shared to %y : memref<4xf32> to memref<4xf32>
  }
}
module @narrow {
  driver.program @net inputs [] outputs ["y"] weights 192 {
  ^bb0(%y: memref<4xf32>):
    %late = driver.weight #nn.dense<3.0 : tensor<4xf32>> {offset = 128 : i64} : memref<4xf32>
    %same = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 64 : i64} : memref<4xf32>
    %early = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 0 : i64} : memref<4xf32>
    driver.copy %same to %y : memref<4xf32> to memref<4xf32>
  }
}

// CHECK:      @wide
// CHECK-NEXT:   outputs ["y"] weights 320 {
// CHECK:        %shared = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 128 : i64}
// CHECK-NEXT:   %own = driver.weight #nn.dense<2.0 : tensor<17xf32>> {offset = 0 : i64}
// CHECK:      @narrow
// CHECK-NEXT:   outputs ["y"] weights 320 {
// CHECK:        %late = driver.weight #nn.dense<3.0 : tensor<4xf32>> {offset = 256 : i64}
// CHECK-NEXT:   %same = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 128 : i64}
// CHECK-NEXT:   %early = driver.weight #nn.dense<2.0 : tensor<4xf32>> {offset = 192 : i64}
