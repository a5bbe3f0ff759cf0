// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// A page has no processor that copies: an input is copied to an output on the device, and so is a part of one. No strides lead
// to the second of two interleaved numbers; the processor copies these, and a page refuses them.

builtin.module attributes {autodeploy.machine = #machine.description<"wasm32-simd128", device = "webgpu">} {
  driver.program @net inputs ["x", "z"] outputs ["y", "u"] {
  ^bb0(%x: memref<4xf32>, %z: memref<4x2xf32>, %y: memref<2x4xf32>, %u: memref<4xf32>):
    %p = driver.view %y {offset = 4 : i64} : memref<2x4xf32> to memref<4xf32>
    driver.copy %x to %p : memref<4xf32> to memref<4xf32>
    %q = driver.view %z {offset = 1 : i64} : memref<4x2xf32> to memref<4xf32, strided<[2]>>
    driver.copy %q to %u : memref<4xf32, strided<[2]>> to memref<4xf32>
  }
}

// CHECK:      driver.program @net inputs ["x", "z"] outputs ["y", "u"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %z: memref<4x2xf32>, %y: memref<2x4xf32>, %u: memref<4xf32>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<2x4xf32>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xf32>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %p = driver.view %y_1 {offset = 4 : i64} : memref<2x4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.copy %x_1 to %p : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   %q = driver.view %z {offset = 1 : i64} : memref<4x2xf32> to memref<4xf32, strided<[2]>>
// CHECK-NEXT:   driver.copy %q to %u : memref<4xf32, strided<[2]>> to memref<4xf32>
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<2x4xf32> to memref<2x4xf32>
