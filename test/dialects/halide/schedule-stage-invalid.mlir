// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A directive is for a stage that the func has, with a factor of 1 or more.

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
    // expected-error@+1 {{the func has stages 0 to 1, found 2 [stage_c1]}}
    halide.vectorize %f "x" {stage = 2} : !halide.func<f32, 2>
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
    // expected-error@+1 {{the func has stages 0 to 1, found -1 [stage_c1]}}
    halide.vectorize %f "x" {stage = -1} : !halide.func<f32, 2>
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
    halide.split %g "x" to "xo", "xi" by 0 : !halide.func<f32, 2>
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
    halide.unroll %g "x" by 0 : !halide.func<f32, 2>
  }
}
