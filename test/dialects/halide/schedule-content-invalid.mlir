// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// A schedule holds schedule ops, and these stand in one, for funcs of the pipeline.

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
  // expected-error@+1 {{a schedule holds schedule ops only, found halide.const [schedule_c1]}}
  halide.schedule {
    %c = halide.const 1.0 : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  // expected-error@+1 {{'halide.compute_root' expects parent op 'halide.schedule'}}
  halide.compute_root %f : !halide.func<f32, 1>
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %other = "test.func"() : () -> !halide.func<f32, 1>
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  // expected-error@+1 {{halide.compute_root is for funcs of this pipeline [schedule_c2]}}
  halide.schedule {
    halide.compute_root %other : !halide.func<f32, 1>
  }
}

// -----

// expected-error@+1 {{'halide.schedule' expects parent op 'halide.pipeline'}}
halide.schedule {
}
