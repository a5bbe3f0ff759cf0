// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// What a program names: weights, inline and in the store, blocks of the arena and of an output, views
// of all and of parts of them.

driver.program @net inputs [] outputs ["y"] {
^bb0(%y: memref<32x2xf32>):
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
  %v = driver.weight #nn.weight<"0123" : tensor<2x2xf32>> {offset = 64 : i64} : memref<2x2xf32>
  %a = driver.buffer : memref<4xf32>
  %b = driver.buffer {offset = 0 : i64} : memref<f64>
  %o = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<16xf32>
  %c = driver.view %a : memref<4xf32> to memref<1x4x1xf32>
  %d = driver.view %a {offset = 1 : i64} : memref<4xf32> to memref<2x1xf32, strided<[2, 1]>>
  %e = driver.view %v : memref<2x2xf32> to memref<2x1xf32, strided<[2, 1]>>
  driver.copy %w to %c : memref<4xf32> to memref<1x4x1xf32>
  driver.copy %e to %d : memref<2x1xf32, strided<[2, 1]>> to memref<2x1xf32, strided<[2, 1]>>
  %f = driver.view %y : memref<32x2xf32> to memref<2x2xf32>
  driver.copy %v to %f : memref<2x2xf32> to memref<2x2xf32>
}

// CHECK:      driver.program @net inputs [] outputs ["y"] {
// CHECK-NEXT: ^bb0(%y: memref<32x2xf32>):
// CHECK-NEXT:   %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
// CHECK-NEXT:   %v = driver.weight #nn.weight<"0123" : tensor<2x2xf32>> {offset = 64 : i64} : memref<2x2xf32>
// CHECK-NEXT:   %a = driver.buffer : memref<4xf32>
// CHECK-NEXT:   %b = driver.buffer {offset = 0 : i64} : memref<f64>
// CHECK-NEXT:   %o = driver.buffer {offset = 0 : i64, output = 0 : i64} : memref<16xf32>
// CHECK-NEXT:   %c = driver.view %a : memref<4xf32> to memref<1x4x1xf32>
// CHECK-NEXT:   %d = driver.view %a {offset = 1 : i64} : memref<4xf32> to memref<2x1xf32, strided<[2, 1]>>
// CHECK-NEXT:   %e = driver.view %v : memref<2x2xf32> to memref<2x1xf32, strided<[2, 1]>>
// CHECK-NEXT:   driver.copy %w to %c : memref<4xf32> to memref<1x4x1xf32>
// CHECK-NEXT:   driver.copy %e to %d : memref<2x1xf32, strided<[2, 1]>> to memref<2x1xf32, strided<[2, 1]>>
// CHECK-NEXT:   %f = driver.view %y : memref<32x2xf32> to memref<2x2xf32>
// CHECK-NEXT:   driver.copy %v to %f : memref<2x2xf32> to memref<2x2xf32>
// CHECK-NEXT: }
