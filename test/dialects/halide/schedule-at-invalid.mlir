// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A func is computed and stored at a loop that its consumer has or had.

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
  // expected-error@+1 {{func 'g' has no loop 'xo'; did you mean 'x'?; its loops are x, y [schedule_c3]}}
  halide.schedule {
    halide.compute_at %f at %g "xo" : !halide.func<f32, 2> at !halide.func<f32, 2>
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
  // expected-error@+1 {{func 'g' has no loop 'r'; its loops are x, y [schedule_c3]}}
  halide.schedule {
    halide.store_at %f at %g "r" : !halide.func<f32, 2> at !halide.func<f32, 2>
  }
}

// -----

// The loop may come into being later: well formed.

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
    halide.compute_at %f at %g "xo" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
  }
}
