// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A directive names loops that its stage has at that point.

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
  // expected-error@+1 {{halide.vectorize: stage 0 of func 'g' has no loop 'xi'; did you mean 'x'?; its loops are x, y [schedule_c3]}}
  halide.schedule {
    halide.vectorize %g "xi" : !halide.func<f32, 2>
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
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
  // expected-error@+1 {{halide.parallel: stage 0 of func 'g' has no loop 'x'; did you mean 'xo'?; its loops are xi, xo, y [schedule_c3]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
    halide.parallel %g "x" : !halide.func<f32, 2>
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
  // expected-error@+1 {{halide.unroll: stage 0 of func 'f' has no loop 'r'; its loops are x, y [schedule_c3]}}
  halide.schedule {
    halide.unroll %f "r" : !halide.func<f32, 2>
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
  // expected-error@+1 {{halide.reorder: stage 1 of func 'f' has no loop 'q'; its loops are r, x, y [schedule_c3]}}
  halide.schedule {
    halide.reorder %f ["y", "q"] {stage = 1} : !halide.func<f32, 2>
  }
}
