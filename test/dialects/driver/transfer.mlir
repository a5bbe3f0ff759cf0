// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// Blocks of the device's arena and weights there, whole blocks that are transferred, and a copy on the device.

driver.program @net inputs ["x"] outputs ["y"] arena 128 weights 512 device_arena 1024 {
^bb0(%x: memref<2x4xf32>, %y: memref<2x2xf32>):
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> on_device {offset = 0 : i64} : memref<4xf32>
  %a = driver.buffer on_device {offset = 0 : i64} : memref<2x4xf32>
  %b = driver.buffer on_device : memref<2x2xf32>
  driver.transfer %x to %a : memref<2x4xf32> to memref<2x4xf32>
  %part = driver.view %a : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  driver.copy %part to %b : memref<2x2xf32, strided<[4, 1]>> to memref<2x2xf32>
  driver.transfer %b to %y : memref<2x2xf32> to memref<2x2xf32>
}

// CHECK:      driver.program @net inputs ["x"] outputs ["y"] arena 128 weights 512 device_arena 1024 {
// CHECK-NEXT: ^bb0(%x: memref<2x4xf32>, %y: memref<2x2xf32>):
// CHECK-NEXT:   %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> on_device {offset = 0 : i64} : memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer on_device {offset = 0 : i64} : memref<2x4xf32>
// CHECK-NEXT:   %b = driver.buffer on_device : memref<2x2xf32>
// CHECK-NEXT:   driver.transfer %x to %a : memref<2x4xf32> to memref<2x4xf32>
// CHECK-NEXT:   %part = driver.view %a : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1]>>
// CHECK-NEXT:   driver.copy %part to %b : memref<2x2xf32, strided<[4, 1]>> to memref<2x2xf32>
// CHECK-NEXT:   driver.transfer %b to %y : memref<2x2xf32> to memref<2x2xf32>
// CHECK-NEXT: }
