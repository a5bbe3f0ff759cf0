// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Halide takes no further definition of a func that another one reads.

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(x %i) : f32 {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{a func is updated before others read it [update_c5]}}
  halide.update %f(x %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// Two updates of the same func, the second after the first has read it: well formed.

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.update %f(x %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.update %f(x %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %f[%r] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
