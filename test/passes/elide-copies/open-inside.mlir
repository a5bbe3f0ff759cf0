// RUN: autodeploy-opt %s --elide-copies | filecheck %s

// What is copied from or to an argument whose open axis is inside of others lies in a buffer of its own: neither may
// kernels write the argument, nor may the buffer be a part of another one.

halide.pipeline @k(%x: !halide.buffer<f32, [8, 3]>) to (%y: !halide.buffer<f32, [8, 3]>) open [[1, 0], [1, 0]] {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [8, 3]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 3]>
}

driver.program @net inputs ["x"] outputs ["y", "z"] open <"n", 1 to 8> in [array<i64: 0, 1>, array<i64: 0, 1>, array<i64: 0, 1>] {
^bb0(%x: memref<3x8xf32>, %y: memref<3x8xf32>, %z: memref<6x8xf32>):
  %a = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  driver.copy %x to %a : memref<3x8xf32> to memref<3x8xf32>
  %b = driver.buffer open array<i64: 0, 1> : memref<3x8xf32>
  driver.call @k(%a) to (%b) : (memref<3x8xf32>) to (memref<3x8xf32>)
  driver.copy %b to %y : memref<3x8xf32> to memref<3x8xf32>
  %c = driver.buffer open array<i64: 0, 1> : memref<6x8xf32>
  %l = driver.view %c : memref<6x8xf32> to memref<3x8xf32>
  %r = driver.view %c {offset = 24 : i64} : memref<6x8xf32> to memref<3x8xf32>
  driver.copy %b to %l : memref<3x8xf32> to memref<3x8xf32>
  driver.copy %a to %r : memref<3x8xf32> to memref<3x8xf32>
  driver.copy %c to %z : memref<6x8xf32> to memref<6x8xf32>
}

// CHECK:      driver.copy %x to %a
// CHECK:      driver.call @k(%a) to (%b)
// CHECK-NEXT: driver.copy %b to %y
// CHECK:      driver.copy %b to %l
// CHECK-NEXT: driver.copy %a to %r
// CHECK-NEXT: driver.copy %c to %z
