// RUN: autodeploy-opt --plan-memory=print-map=true %s 2>&1 >/dev/null | filecheck %s --strict-whitespace --match-full-lines

// The map of the arena goes to standard error: by offset, each line with the kernel that comes first; the scratch
// of each call has a line of its own.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 640 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<100xf32>
  %c = driver.buffer : memref<4xf32>
  driver.call @k(%x) to (%c) : (memref<4xf32>) to (memref<4xf32>)
  %b = driver.buffer : memref<2x2xf32>
  %v = driver.view %b : memref<2x2xf32> to memref<4xf32>
  driver.copy %c to %v : memref<4xf32> to memref<4xf32>
  driver.call @k(%v) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

//      CHECK:      offset         size       calls  kernel
// CHECK-NEXT:           0    400 bytes        0..0  unused
// CHECK-NEXT:           0     16 bytes        1..2  copy
// CHECK-NEXT:          64    640 bytes        2..2  scratch of k
// CHECK-NEXT:         448     16 bytes        0..1  k
// CHECK-NEXT:         512    640 bytes        0..0  scratch of k
// CHECK-NEXT:arena 1152 bytes (1.2 KB), largest live sum 1152 bytes (1.2 KB), ratio 1.000
