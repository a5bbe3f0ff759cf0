// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Every schedule op, with and without what may be left out.

halide.pipeline @scheduled(%x: !halide.buffer<f32, [64, 64]>) to (%y: !halide.buffer<f32, [64, 64]>) {
  %f = halide.func "f"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [64, 64]> to f32
    halide.yield %v : f32
  }
  halide.update %f(x %i, y %j) over (r %r in 0 to 8) : !halide.func<f32, 2> {
    %v = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [64, 64]>
  halide.schedule {
    halide.bound %g "x" from 0 extent 64 : !halide.func<f32, 2>
    halide.bound_extent %f "x" extent 64 : !halide.func<f32, 2>
    halide.bound_storage %f "x" extent 64 : !halide.func<f32, 2>
    halide.fold_storage %f "x" extent 64 : !halide.func<f32, 2>
    halide.align_storage %f "x" to 16 : !halide.func<f32, 2>
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
    halide.split %g "y" to "y", "yi" by 7 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.split %f "r" to "ro", "ri" by 4 {stage = 1} : !halide.func<f32, 2>
    halide.fuse %g "xo", "y" to "tile" : !halide.func<f32, 2>
    halide.reorder %g ["xi", "yi", "tile"] : !halide.func<f32, 2>
    halide.reorder %f ["ri", "x", "y", "ro"] {stage = 1} : !halide.func<f32, 2>
    halide.atomic %f {stage = 1} : !halide.func<f32, 2>
    halide.atomic %f {any_order, stage = 1} : !halide.func<f32, 2>
    halide.vectorize %g "xi" : !halide.func<f32, 2>
    halide.vectorize %f "x" by 16 {stage = 1} : !halide.func<f32, 2>
    halide.unroll %f "ri" {stage = 1} : !halide.func<f32, 2>
    halide.unroll %g "yi" by 7 : !halide.func<f32, 2>
    halide.parallel %g "tile" : !halide.func<f32, 2>
    halide.compute_root %f : !halide.func<f32, 2>
    halide.compute_at %f at %g "yi" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.store_at %f at %g "tile" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.store_in %f in stack : !halide.func<f32, 2>
    halide.store_in %f in heap : !halide.func<f32, 2>
    halide.store_in %f in register : !halide.func<f32, 2>
  }
}

// CHECK:      halide.bound %g "x" from 0 extent 64 : !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %f "x" extent 64 : !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_storage %f "x" extent 64 : !halide.func<f32, 2>
// CHECK-NEXT: halide.fold_storage %f "x" extent 64 : !halide.func<f32, 2>
// CHECK-NEXT: halide.align_storage %f "x" to 16 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %g "y" to "y", "yi" by 7 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %f "r" to "ro", "ri" by 4 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.fuse %g "xo", "y" to "tile" : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %g ["xi", "yi", "tile"] : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %f ["ri", "x", "y", "ro"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.atomic %f {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.atomic %f {any_order, stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %g "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %f "x" by 16 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %f "ri" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %g "yi" by 7 : !halide.func<f32, 2>
// CHECK-NEXT: halide.parallel %g "tile" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %f : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %f at %g "yi" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.store_at %f at %g "tile" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.store_in %f in stack : !halide.func<f32, 2>
// CHECK-NEXT: halide.store_in %f in heap : !halide.func<f32, 2>
// CHECK-NEXT: halide.store_in %f in register : !halide.func<f32, 2>
