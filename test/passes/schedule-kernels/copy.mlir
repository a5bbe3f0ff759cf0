// RUN: autodeploy-opt --form-copies --set-machine=machine=x86-64-avx512:cores=1 --schedule-kernels --split-input-file %s | filecheck %s

// Rows become columns by blocks of 16 vectors.

driver.program @columns inputs ["x"] outputs ["y"] {
^bb0(%x: memref<32x48xf32>, %y: memref<48x32xf32>):
  %a = driver.view %x : memref<32x48xf32> to memref<48x32xf32, strided<[1, 48]>>
  driver.copy %a to %y : memref<48x32xf32, strided<[1, 48]>> to memref<48x32xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 16 :
// CHECK-NEXT:   halide.split %out "y" to "yo", "yi" by 16 :
// CHECK-NEXT:   halide.reorder %out ["xi", "yi", "xo", "yo"]
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT:   halide.unroll %out "yi"
// CHECK-NEXT: }

// -----

// What no block divides is gathered: the lines of a row of the target stay near.

driver.program @odd inputs ["x"] outputs ["y"] {
^bb0(%x: memref<33x48xf32>, %y: memref<48x33xf32>):
  %a = driver.view %x : memref<33x48xf32> to memref<48x33xf32, strided<[1, 48]>>
  driver.copy %a to %y : memref<48x33xf32, strided<[1, 48]>> to memref<48x33xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 16
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT: }

// -----

// Rows of 4608 bytes share eight sets of the first-level cache, which do not keep 197 lines: there
// are blocks, and the last ones overlap.

driver.program @heads inputs ["x"] outputs ["y"] {
^bb0(%x: memref<197x1152xf32>, %y: memref<380x197xf32>):
  %a = driver.view %x {offset = 384 : i64} : memref<197x1152xf32> to memref<380x197xf32, strided<[1, 1152]>>
  driver.copy %a to %y : memref<380x197xf32, strided<[1, 1152]>> to memref<380x197xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} :
// CHECK-NEXT:   halide.split %out "y" to "yo", "yi" by 16 {tail = #halide<tail shift_inwards>} :
// CHECK-NEXT:   halide.reorder %out ["xi", "yi", "xo", "yo"]
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT:   halide.unroll %out "yi"
// CHECK-NEXT: }

// -----

// As many rows that are not a multiple of a line apart stay near.

driver.program @spread inputs ["x"] outputs ["y"] {
^bb0(%x: memref<197x1153xf32>, %y: memref<380x197xf32>):
  %a = driver.view %x {offset = 384 : i64} : memref<197x1153xf32> to memref<380x197xf32, strided<[1, 1153]>>
  driver.copy %a to %y : memref<380x197xf32, strided<[1, 1153]>> to memref<380x197xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} :
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT: }

// -----

// Blocks of 33 columns would copy 48.

driver.program @overlap inputs ["x"] outputs ["y"] {
^bb0(%x: memref<197x1152xf32>, %y: memref<33x197xf32>):
  %a = driver.view %x : memref<197x1152xf32> to memref<33x197xf32, strided<[1, 1152]>>
  driver.copy %a to %y : memref<33x197xf32, strided<[1, 1152]>> to memref<33x197xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} :
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT: }

// -----

// Vectors are copied as they lie.

driver.program @slices inputs ["x"] outputs ["y"] {
^bb0(%x: memref<48x32xf32>, %y: memref<48x64xf32>):
  %a = driver.view %y {offset = 32 : i64} : memref<48x64xf32> to memref<48x32xf32, strided<[64, 1]>>
  driver.copy %x to %a : memref<48x32xf32> to memref<48x32xf32, strided<[64, 1]>>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 16
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT: }

// -----

// Four vectors of six pixels' groups are woven into each other; the last ones overlap.

driver.program @shuffle inputs ["x"] outputs ["y"] {
^bb0(%x: memref<6x4x34xf32>, %y: memref<6x34x4xf32>):
  %a = driver.view %x : memref<6x4x34xf32> to memref<6x34x4xf32, strided<[136, 1, 34]>>
  driver.copy %a to %y : memref<6x34x4xf32, strided<[136, 1, 34]>> to memref<6x34x4xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "y" to "yo", "yi" by 16 {tail = #halide<tail shift_inwards>} :
// CHECK-NEXT:   halide.reorder %out ["x", "yi", "yo", "z"]
// CHECK-NEXT:   halide.vectorize %out "yi"
// CHECK-NEXT:   halide.unroll %out "x"
// CHECK-NEXT: }

// -----

// Five are not woven.

driver.program @five inputs ["x"] outputs ["y"] {
^bb0(%x: memref<5x37xf32>, %y: memref<37x5xf32>):
  %a = driver.view %x : memref<5x37xf32> to memref<37x5xf32, strided<[1, 37]>>
  driver.copy %a to %y : memref<37x5xf32, strided<[1, 37]>> to memref<37x5xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %out "x" to "xo", "xi" by 4 {tail = #halide<tail shift_inwards>} :
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT: }

// -----

// Blocks of an open extent end with the run: none overlaps, whatever divides the largest number.

// CHECK:      halide.pipeline @open
// CHECK:        halide.split %out "x" to "xo", "xi" by 16
// CHECK-NEXT:   halide.split %out "y" to "yo", "yi" by 16 :
// CHECK-NEXT:   halide.reorder %out ["xi", "yi", "xo", "yo"]
// CHECK-NEXT:   halide.vectorize %out "xi"
// CHECK-NEXT:   halide.unroll %out "yi"
// CHECK:      halide.pipeline @odd
// CHECK:        halide.schedule {
// CHECK-NOT:    halide.split %out "y"
builtin.module {
  halide.pipeline @open(%in0: !halide.buffer<f32, [257, 64], [64, 1]>) to (%result0: !halide.buffer<f32, [257, 64]>) config<copy> open [affine_map<(d0) -> ((d0 + 1), 0)>, affine_map<(d0) -> ((d0 + 1), 0)>] {
    %out = halide.func "out"(x %x, y %y) : f32 {
      %0 = halide.load %in0[%x, %y] : !halide.buffer<f32, [257, 64], [64, 1]> to f32
      halide.yield %0 : f32
    }
    halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [257, 64]>
  }
  halide.pipeline @odd(%in0: !halide.buffer<f32, [257, 20], [20, 1]>) to (%result0: !halide.buffer<f32, [257, 20]>) config<copy> open [affine_map<(d0) -> ((d0 + 1), 0)>, affine_map<(d0) -> ((d0 + 1), 0)>] {
    %out = halide.func "out"(x %x, y %y) : f32 {
      %0 = halide.load %in0[%x, %y] : !halide.buffer<f32, [257, 20], [20, 1]> to f32
      halide.yield %0 : f32
    }
    halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [257, 20]>
  }
}
