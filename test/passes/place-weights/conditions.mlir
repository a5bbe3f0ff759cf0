// RUN: autodeploy-opt --place-weights %s | filecheck %s

// What a loop or a branch asks is read, too.

driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<4xf32>):
  %never = driver.weight #nn.dense<0 : tensor<i1>> : memref<i1>
  %one = driver.weight #nn.dense<1.0 : tensor<4xf32>> : memref<4xf32>
  %always = driver.weight #nn.dense<1 : tensor<i1>> : memref<i1>
  driver.for steps 2 while %never : memref<i1> {
    driver.copy %one to %y : memref<4xf32> to memref<4xf32>
  }
  driver.if %always : memref<i1> {
    driver.copy %one to %y : memref<4xf32> to memref<4xf32>
  } else {
  }
}

// CHECK: outputs ["y"] weights 192 {
// CHECK: %never = driver.weight #nn.dense<0 : tensor<i1>> {offset = 0 : i64}
// CHECK: %one = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 64 : i64}
// CHECK: %always = driver.weight #nn.dense<1 : tensor<i1>> {offset = 128 : i64}
