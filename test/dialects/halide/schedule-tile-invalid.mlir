// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Tiles have no more iterations than the loop: what fills a buffer would write outside of it.

halide.pipeline @p(%x: !halide.buffer<f32, [10, 8]>) to (%y: !halide.buffer<f32, [10, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [10, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [10, 8]>
  // expected-error@+1 {{halide.split: a tile of 16 iterations exceeds the 10 of loop 'x' [schedule_c7]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
  }
}

// -----

// Left to itself, Halide moves the tile inwards, too.

halide.pipeline @p(%x: !halide.buffer<f32, [10, 8]>) to (%y: !halide.buffer<f32, [10, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [10, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [10, 8]>
  // expected-error@+1 {{halide.vectorize: a tile of 16 iterations exceeds the 8 of loop 'y' [schedule_c7]}}
  halide.schedule {
    halide.vectorize %g "y" by 16 : !halide.func<f32, 2>
  }
}

// -----

// A tile of tiles.

halide.pipeline @p(%x: !halide.buffer<f32, [32, 8]>) to (%y: !halide.buffer<f32, [32, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [32, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [32, 8]>
  // expected-error@+1 {{halide.unroll: a tile of 5 iterations exceeds the 4 of loop 'xo' [schedule_c7]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
    halide.unroll %g "xo" by 5 : !halide.func<f32, 2>
  }
}

// -----

// A last tile that is rounded up.

halide.pipeline @p(%x: !halide.buffer<f32, [10, 8]>) to (%y: !halide.buffer<f32, [10, 8]>) {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [10, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [10, 8]>
  // expected-error@+1 {{halide.split: tiles of 4 iterations, all full, exceed the 10 of loop 'x' [schedule_c7]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 4 {tail = #halide<tail round_up>} : !halide.func<f32, 2>
  }
}
