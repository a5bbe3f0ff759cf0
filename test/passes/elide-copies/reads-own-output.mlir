// RUN: autodeploy-opt --elide-copies --split-input-file %s | filecheck %s

// A kernel that updates its output counts on vectors of it being aligned: 16 elements of 4 bytes
// before it are, 8 are not.

halide.pipeline @sum(%x: !halide.buffer<f32, [16, 4]>) to (%y: !halide.buffer<f32, [16, 4]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(i %i, j %j) over (k %k in 0 to 4) : !halide.func<f32, 2> {
    %old = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    %v = halide.load %x[%i, %k] : !halide.buffer<f32, [16, 4]> to f32
    %sum = halide.add %old, %v : f32
    halide.yield %sum : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [16, 4]>
}

driver.program @aligned inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4x16xf32>, %y: memref<4x32xf32>):
  %a = driver.buffer : memref<4x16xf32>
  driver.call @sum(%x) to (%a) : (memref<4x16xf32>) to (memref<4x16xf32>)
  %v = driver.view %y {offset = 16 : i64} : memref<4x32xf32> to memref<4x16xf32, strided<[32, 1]>>
  driver.copy %a to %v : memref<4x16xf32> to memref<4x16xf32, strided<[32, 1]>>
}

// CHECK-LABEL: driver.program @aligned
// CHECK-NOT:   driver.copy

// -----

halide.pipeline @sum(%x: !halide.buffer<f32, [16, 4]>) to (%y: !halide.buffer<f32, [16, 4]>) {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(i %i, j %j) over (k %k in 0 to 4) : !halide.func<f32, 2> {
    %old = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    %v = halide.load %x[%i, %k] : !halide.buffer<f32, [16, 4]> to f32
    %sum = halide.add %old, %v : f32
    halide.yield %sum : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [16, 4]>
}

driver.program @misaligned inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4x16xf32>, %y: memref<4x32xf32>):
  %a = driver.buffer : memref<4x16xf32>
  driver.call @sum(%x) to (%a) : (memref<4x16xf32>) to (memref<4x16xf32>)
  %v = driver.view %y {offset = 8 : i64} : memref<4x32xf32> to memref<4x16xf32, strided<[32, 1]>>
  driver.copy %a to %v : memref<4x16xf32> to memref<4x16xf32, strided<[32, 1]>>
}

// CHECK-LABEL: driver.program @misaligned
// CHECK:       driver.copy %a to %v
