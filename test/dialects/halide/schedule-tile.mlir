// RUN: autodeploy-opt %s --split-input-file | filecheck %s

// A tile may be as large as its loop, and larger where it ends early or the loop is of no buffer.

// CHECK-LABEL: halide.pipeline @p
halide.pipeline @p(%x: !halide.buffer<f32, [10, 8]>) to (%y: !halide.buffer<f32, [10, 8]>) {
  %f = halide.func "f"(x %i, y %j) in [10, 8] : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [10, 8]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %f[%i, %j] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [10, 8]>
  halide.schedule {
    // CHECK: halide.split %{{.*}} "x" to "xo", "xi" by 10
    halide.split %g "x" to "xo", "xi" by 10 : !halide.func<f32, 2>
    // CHECK: halide.split %{{.*}} "y" to "yo", "yi" by 16 {tail = #halide<tail guard_with_if>}
    halide.split %g "y" to "yo", "yi" by 16 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    // CHECK: halide.compute_at
    halide.compute_at %f at %g "yo" : !halide.func<f32, 2> at !halide.func<f32, 2>
    // CHECK: halide.vectorize %{{.*}} "x" by 8
    halide.vectorize %f "x" by 8 : !halide.func<f32, 2>
  }
}

// -----

// Of an open dimension, which is known when the kernel is compiled.

// CHECK-LABEL: halide.pipeline @open
halide.pipeline @open(%x: !halide.buffer<f32, [10]>) to (%y: !halide.buffer<f32, [10]>) open [[1], [1]] {
  %g = halide.func "g"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [10]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 1> in !halide.buffer<f32, [10]>
  halide.schedule {
    // CHECK: halide.vectorize %{{.*}} "x" by 16
    halide.vectorize %g "x" by 16 : !halide.func<f32, 1>
  }
}
