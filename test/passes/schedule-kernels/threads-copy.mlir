// RUN: autodeploy-opt --form-copies --set-machine=machine=x86-64-avx512:cores=4 --schedule-kernels --split-input-file %s | filecheck %s

// Four planes are too few for four cores to be busy to the end: their columns are shared, too.

driver.program @columns inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4x128x160xf32>, %y: memref<4x160x128xf32>):
  %a = driver.view %x : memref<4x128x160xf32> to memref<4x160x128xf32, strided<[20480, 1, 160]>>
  driver.copy %a to %y : memref<4x160x128xf32, strided<[20480, 1, 160]>> to memref<4x160x128xf32>
}

// CHECK:      halide.reorder %out ["xi", "yi", "xo", "yo", "z"]
// CHECK:      halide.fuse %out "yo", "z" to "z_yo"
// CHECK-NEXT: halide.parallel %out "z_yo"

// -----

// Woven vectors of channels; the pixels alone are enough.

driver.program @shuffle inputs ["x"] outputs ["y"] {
^bb0(%x: memref<49x4x136xf32>, %y: memref<49x136x4xf32>):
  %a = driver.view %x : memref<49x4x136xf32> to memref<49x136x4xf32, strided<[544, 1, 136]>>
  driver.copy %a to %y : memref<49x136x4xf32, strided<[544, 1, 136]>> to memref<49x136x4xf32>
}

// CHECK:      halide.reorder %out ["x", "yi", "yo", "z"]
// CHECK-NOT:  halide.fuse
// CHECK:      halide.parallel %out "z"

// -----

// The last block of columns overlaps the one before: the two are in one group.

driver.program @heads inputs ["x"] outputs ["y"] {
^bb0(%x: memref<197x1152xf32>, %y: memref<380x197xf32>):
  %a = driver.view %x : memref<197x1152xf32> to memref<380x197xf32, strided<[1, 1152]>>
  driver.copy %a to %y : memref<380x197xf32, strided<[1, 1152]>> to memref<380x197xf32>
}

// CHECK:      halide.reorder %out ["xi", "yi", "xo", "yo"]
// CHECK:      halide.split %out "yo" to "yog", "yo" by {{[0-9]+}}
// CHECK:      halide.parallel %out "yog"
