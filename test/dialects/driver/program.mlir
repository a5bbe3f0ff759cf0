// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A program: names of the model, whatever letters they have; sizes where they are known.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  driver.copy %x to %y : memref<4xf32> to memref<4xf32>
}

driver.program @"my net/1" inputs [] outputs ["a \"b\"", "size of it"] arena 128 weights 192 embedded threads 4 worker_scratch 32 stack 160 flush_subnormals x86_sets ["avx2"] {
^bb0(%a: memref<f32>, %b: memref<0x3xi1>):
}

driver.program @sized inputs ["x"] outputs [] weights 0 attributes {note = "x"} {
^bb0(%x: memref<2x3xui8>):
}

driver.program @small inputs ["x"] outputs [] weights 64 embedded freestanding {
^bb0(%x: memref<2x3xui8>):
}

// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   driver.copy %x to %y : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: driver.program @"my net/1" inputs [] outputs ["a \22b\22", "size of it"] arena 128 weights 192 embedded threads 4 worker_scratch 32 stack 160 flush_subnormals x86_sets ["avx2"] {
// CHECK-NEXT: ^bb0(%a: memref<f32>, %b: memref<0x3xi1>):
// CHECK-NEXT: }
// CHECK-NEXT: driver.program @sized inputs ["x"] outputs [] weights 0 attributes {note = "x"} {
// CHECK-NEXT: ^bb0(%x: memref<2x3xui8>):
// CHECK-NEXT: }
// CHECK-NEXT: driver.program @small inputs ["x"] outputs [] weights 64 embedded freestanding {
// CHECK-NEXT: ^bb0(%x: memref<2x3xui8>):
// CHECK-NEXT: }
