// RUN: autodeploy-opt --form-copies --split-input-file %s | filecheck %s

// A strided copy is a kernel on as few axes as the strides need; equal ones share it. Rows of three
// pixels of two channels are pixels, whose channels follow each other.

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<1x5x3x2xf32>, %y: memref<1x5x3x8xf32>):
  %a = driver.view %y : memref<1x5x3x8xf32> to memref<1x5x3x2xf32, strided<[120, 24, 8, 1]>>
  driver.copy %x to %a : memref<1x5x3x2xf32> to memref<1x5x3x2xf32, strided<[120, 24, 8, 1]>>
  %b = driver.view %y {offset = 4 : i64} : memref<1x5x3x8xf32> to memref<1x5x3x2xf32, strided<[120, 24, 8, 1]>>
  driver.copy %x to %b : memref<1x5x3x2xf32> to memref<1x5x3x2xf32, strided<[120, 24, 8, 1]>>
}

// CHECK:      halide.pipeline @copy_0(%in0: !halide.buffer<f32, [2, 15]>) to (%result0: !halide.buffer<f32, [2, 15], [1, 8]>) config<copy> {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) : f32 {
// CHECK-NEXT:     {{%.*}} = halide.load %in0[%x, %y] : !halide.buffer<f32, [2, 15]> to f32
// CHECK:      driver.call @copy_0
// CHECK:      %{{.*}} = driver.view %y {offset = 4 : i64} : memref<1x5x3x8xf32> to memref<15x2xf32, strided<[8, 1]>>
// CHECK:      driver.call @copy_0
// CHECK-NOT:  driver.copy

// -----

// The innermost axis is the one along which the target is contiguous.

driver.program @turned inputs ["x"] outputs ["y"] {
^bb0(%x: memref<1x3x4x5xf32>, %y: memref<1x4x5x3xf32>):
  %a = driver.view %x : memref<1x3x4x5xf32> to memref<1x4x5x3xf32, strided<[60, 5, 1, 20]>>
  driver.copy %a to %y : memref<1x4x5x3xf32, strided<[60, 5, 1, 20]>> to memref<1x4x5x3xf32>
}

// CHECK:      halide.pipeline @copy_0(%in0: !halide.buffer<f32, [3, 20], [20, 1]>) to (%result0: !halide.buffer<f32, [3, 20]>) config<copy> {

// -----

// A single element has an axis, too.

driver.program @one inputs ["x"] outputs ["y"] {
^bb0(%x: memref<2x2xf32>, %y: memref<1x1xf32>):
  %a = driver.view %x {offset = 1 : i64} : memref<2x2xf32> to memref<1x1xf32>
  driver.copy %a to %y : memref<1x1xf32> to memref<1x1xf32>
}

// CHECK-LABEL: driver.program @one
// CHECK:       driver.copy %a to %y : memref<1x1xf32> to memref<1x1xf32>

// -----

// What is dense on both sides stays a copy of bytes, whatever the shapes.

driver.program @dense inputs ["x"] outputs ["y"] {
^bb0(%x: memref<2x3xf32>, %y: memref<6xf32>):
  driver.copy %x to %y : memref<2x3xf32> to memref<6xf32>
}

// CHECK-LABEL: driver.program @dense
// CHECK:       driver.copy %x to %y : memref<2x3xf32> to memref<6xf32>
