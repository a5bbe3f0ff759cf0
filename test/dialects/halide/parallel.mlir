// RUN: autodeploy-opt %s | filecheck %s

// Loops that may run in parallel: no two iterations write the same element.

// Tiles that divide the elements, whatever the tail is.

// CHECK: halide.parallel %g "xo"
halide.pipeline @p0(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 10 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.parallel %g "xo" : !halide.func<f32, 2>
  }
}

// A last tile that ends early.

// CHECK: halide.parallel %g "xo"
halide.pipeline @p1(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.parallel %g "xo" : !halide.func<f32, 2>
  }
}

// Another dimension.

// CHECK: halide.parallel %g "y"
halide.pipeline @p2(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.parallel %g "y" : !halide.func<f32, 2>
  }
}

// The last of four tiles and the one before are of one group.

// CHECK: halide.parallel %g "y_xg"
halide.pipeline @p3(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.split %g "xo" to "xg", "xo" by 2 : !halide.func<f32, 2>
    halide.fuse %g "xg", "y" to "y_xg" : !halide.func<f32, 2>
    halide.parallel %g "y_xg" : !halide.func<f32, 2>
  }
}

// Of five tiles, two are left for the last group.

// CHECK: halide.parallel %g "xg"
halide.pipeline @p4(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.split %g "xo" to "xg", "xo" by 3 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.parallel %g "xg" : !halide.func<f32, 2>
  }
}

// Of an update, the last tile is guarded.

// CHECK: halide.parallel %g "xo" {stage = 1 : i64}
halide.pipeline @update(%x: !halide.buffer<f32, [30]>) to (%y: !halide.buffer<f32, [30]>) {
  %g = halide.func "g"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [30]> to f32
    halide.yield %v : f32
  }
  halide.update %g(x %i) over (r %r in 0 to 8) : !halide.func<f32, 1> {
    %v = halide.load %g[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 1> in !halide.buffer<f32, [30]>
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {stage = 1} : !halide.func<f32, 1>
    halide.parallel %g "xo" {stage = 1} : !halide.func<f32, 1>
  }
}
