// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Neither do loops that are made of overlapping tiles.

// The loop within the tiles, which may stand outside of them.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'xi' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.reorder %g ["xo", "xi"] : !halide.func<f32, 2>
    halide.parallel %g "xi" : !halide.func<f32, 2>
  }
}

// -----

// Tiles and rows as one loop.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'y_xo' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.fuse %g "xo", "y" to "y_xo" : !halide.func<f32, 2>
    halide.parallel %g "y_xo" : !halide.func<f32, 2>
  }
}

// -----

// How much of a func is computed that fills no buffer is not known: the split may have a tail.

halide.pipeline @p(%x: !halide.buffer<f32, [32]>) to (%y: !halide.buffer<f32, [32]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [32]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(x %i) : f32 {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 1> in !halide.buffer<f32, [32]>
  // expected-error@+1 {{halide.parallel: loop 'xo' of func 'f' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.compute_root %f : !halide.func<f32, 1>
    halide.split %f "x" to "xo", "xi" by 8 : !halide.func<f32, 1>
    halide.parallel %f "xo" : !halide.func<f32, 1>
  }
}
