// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What loads, outputs and yields ask of the types around them.

halide.pipeline @p(%x: !halide.buffer<f32, [4, 4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    // expected-error@+1 {{1 indices for !halide.buffer<f32, [4, 4]> [load_c1]}}
    %v = halide.load %x[%i] : !halide.buffer<f32, [4, 4]> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f64 {
    // expected-error@+1 {{a load from !halide.buffer<f32, [4]> gives no f64 [load_c2]}}
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f64
    halide.yield %v : f64
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(x %i) : f32 {
    // expected-error@+1 {{2 indices for !halide.func<f32, 1> [load_c1]}}
    %v = halide.load %f[%i, %i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f64, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{!halide.func<f32, 1> does not fill !halide.buffer<f64, [4]> [output_c1]}}
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f64, [4]>
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4, 4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{!halide.func<f32, 1> does not fill !halide.buffer<f32, [4, 4]> [output_c1]}}
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4, 4]>
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    // expected-error@+1 {{no halide value has type !halide.buffer<f32, [4]> [yield_c1]}}
    halide.yield %x : !halide.buffer<f32, [4]>
  }
}
