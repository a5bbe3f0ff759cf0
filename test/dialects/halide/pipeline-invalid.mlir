// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What halide.pipeline asks of its arguments, outputs and funcs.

// expected-error@+1 {{0 outputs among 1 arguments [pipeline_c1]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to () {
}

// -----

// expected-error@+1 {{arguments are halide.buffers, found f32 [pipeline_c3]}}
halide.pipeline @f(%x: f32) to (%y: !halide.buffer<f32, [4]>) {
}

// -----

// expected-error@+1 {{each output is bound once, found 0 [pipeline_c4]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
}

// -----

// expected-error@+1 {{each output is bound once, found 2 [pipeline_c4]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{only output buffers are bound by halide.output [pipeline_c5]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %f in %x : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{a func fills one output buffer, found two for one func [pipeline_c6]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>, %z: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %f in %z : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{a pipeline has one halide.schedule, found more [pipeline_c7]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.schedule {
  }
  halide.schedule {
  }
}

// -----

// expected-error@+1 {{func names differ, found f, f [pipeline_c8]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "f"(x %i) : f32 {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
