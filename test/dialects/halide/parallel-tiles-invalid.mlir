// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Tiles do not run in parallel where the last one moves inwards over the one before.

// The loop over tiles.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'xo' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.parallel %g "xo" : !halide.func<f32, 2>
  }
}

// -----

// Left to itself, Halide moves the last tile inwards, too.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'xo' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
    halide.parallel %g "xo" : !halide.func<f32, 2>
  }
}

// -----

// A factor is a split.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'x' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.parallel %g "x" by 8 : !halide.func<f32, 2>
  }
}

// -----

// A factor of another directive is one, too.

halide.pipeline @p(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.parallel: loop 'x' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.vectorize %g "x" by 8 : !halide.func<f32, 2>
    halide.parallel %g "x" : !halide.func<f32, 2>
  }
}
