// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// What halide.update asks of its reduction domain, its variables and its place.

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{rvars, mins and extents have one entry each, at least one [update_c1]}}
  halide.update %f(x %i) over () : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{rvars, mins and extents have one entry each, at least one [update_c1]}}
  "halide.update"(%f) <{vars = ["x"], rvars = ["r"], mins = array<i64: 0, 0>, extents = array<i64: 4>}> ({
  ^bb0(%i: i32, %r: i32):
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }) : (!halide.func<f32, 1>) -> ()
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{variables differ, found x, x [update_c2]}}
  halide.update %f(x %i) over (x %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{an update has the func's variables x, found y [update_c4]}}
  halide.update %f(y %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = "test.func"() : () -> !halide.func<f32, 1>
  // expected-error@+1 {{only a halide.func is updated [update_c3]}}
  halide.update %f(x %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{the region must end in a halide.yield of f32 [func_c6]}}
  halide.update %f(x %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    halide.yield %r : i32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %n = halide.extent %x 0 : !halide.buffer<f32, [4]>
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  // expected-error@+1 {{1 ends of reduction variables from 0 on, found those of [0] [update_c6]}}
  halide.update %f(x %i) over (r %r in 1 to 4 until %n) : !halide.func<f32, 1> {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
}
