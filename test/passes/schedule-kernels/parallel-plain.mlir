// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=4 --schedule-kernels | filecheck %s --check-prefix=FOUR
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --schedule-kernels | filecheck %s --check-prefix=ONE

// An outer loop runs in parallel where there is enough work; loops are fused until there are
// enough iterations for each core. One core has no parallel loop.

// ONE-NOT: parallel

// CHECK-LABEL: halide.pipeline @large
// CHECK: halide.fuse %f "y", "z" to "z_y" : !halide.func<f32, 3>
// CHECK-NEXT: halide.parallel %f "z_y"
halide.pipeline @large(%x: !halide.buffer<f32, [256, 64, 4]>)
    to (%o: !halide.buffer<f32, [256, 64, 4]>) {
  %f = halide.func "f"(x %i, y %j, z %k) : f32 {
    %0 = halide.load %x[%i, %j, %k] : !halide.buffer<f32, [256, 64, 4]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 3> in !halide.buffer<f32, [256, 64, 4]>
}

// The outermost loop has iterations enough for two cores, not for four.

// CHECK-LABEL: halide.pipeline @enough
// CHECK-NOT: halide.fuse
// CHECK: halide.parallel %f "z"
// FOUR-LABEL: halide.pipeline @enough
// FOUR: halide.fuse %f "y", "z" to "z_y"
halide.pipeline @enough(%x: !halide.buffer<f32, [512, 64, 8]>)
    to (%o: !halide.buffer<f32, [512, 64, 8]>) {
  %f = halide.func "f"(x %i, y %j, z %k) : f32 {
    %0 = halide.load %x[%i, %j, %k] : !halide.buffer<f32, [512, 64, 8]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 3> in !halide.buffer<f32, [512, 64, 8]>
}

// 16384 elements are enough, one row less is not.

// CHECK-LABEL: halide.pipeline @just
// CHECK: halide.parallel %f "y"
halide.pipeline @just(%x: !halide.buffer<f32, [256, 64]>)
    to (%o: !halide.buffer<f32, [256, 64]>) {
  %f = halide.func "f"(x %i, y %j) : f32 {
    %0 = halide.load %x[%i, %j] : !halide.buffer<f32, [256, 64]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 2> in !halide.buffer<f32, [256, 64]>
}

// CHECK-LABEL: halide.pipeline @small
// CHECK-NOT: parallel
halide.pipeline @small(%x: !halide.buffer<f32, [256, 63]>)
    to (%o: !halide.buffer<f32, [256, 63]>) {
  %f = halide.func "f"(x %i, y %j) : f32 {
    %0 = halide.load %x[%i, %j] : !halide.buffer<f32, [256, 63]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 2> in !halide.buffer<f32, [256, 63]>
}

// The vectors of a single row are shared. The last one overlaps the one before: these two are of one
// group.

// CHECK-LABEL: halide.pipeline @row
// CHECK: halide.split %f "x" to "xo", "xi" by 8
// CHECK: halide.split %f "xo" to "xog", "xo" by 313 {tail = #halide<tail guard_with_if>}
// CHECK: halide.parallel %f "xog"
halide.pipeline @row(%x: !halide.buffer<f32, [20003]>) to (%o: !halide.buffer<f32, [20003]>) {
  %f = halide.func "f"(x %i) : f32 {
    %0 = halide.load %x[%i] : !halide.buffer<f32, [20003]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [20003]>
}
