// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Nor do groups of tiles unless the last tile and the one before are of one group.

// Of five tiles, the last one has no other one in its group.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'xg' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.split %g "xo" to "xg", "xo" by 2 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.parallel %g "xg" : !halide.func<f32, 2>
  }
}

// -----

// Groups of one tile are no groups.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'xg' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.split %g "xo" to "xg", "xo" by 1 : !halide.func<f32, 2>
    halide.parallel %g "xg" : !halide.func<f32, 2>
  }
}

// -----

// Groups overlap, too.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'xg' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.split %g "xo" to "xg", "xo" by 3 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.parallel %g "xg" : !halide.func<f32, 2>
  }
}
