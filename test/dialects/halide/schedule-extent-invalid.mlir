// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Extents and alignments are 1 or more, and are given for dimensions of the func.

halide.pipeline @p(%x: !halide.buffer<f32, [64, 64]>) to (%y: !halide.buffer<f32, [64, 64]>) {
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
    // expected-error@+1 {{a factor is at least 1, found 0 [factor_c1]}}
    halide.bound %g "x" from 0 extent 0 : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [64, 64]>) to (%y: !halide.buffer<f32, [64, 64]>) {
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
    // expected-error@+1 {{a factor is at least 1, found 0 [factor_c1]}}
    halide.bound_extent %g "x" extent 0 : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [64, 64]>) to (%y: !halide.buffer<f32, [64, 64]>) {
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
    // expected-error@+1 {{a factor is at least 1, found 0 [factor_c1]}}
    halide.align_storage %g "x" to 0 : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [64, 64]>) to (%y: !halide.buffer<f32, [64, 64]>) {
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
  // expected-error@+1 {{halide.bound: func 'g' has no dimension 'xo'; its dimensions are x, y [schedule_c5]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
    halide.bound %g "xo" from 0 extent 8 : !halide.func<f32, 2>
  }
}
