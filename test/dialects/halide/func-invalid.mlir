// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What halide.func asks of its role, its variables and its region.

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{a role is given where it is not the name, found 'f' for both [func_c1]}}
  %f = halide.func "f" as "f"(x %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{variables differ, found x, x [func_c2]}}
  %f = halide.func "f"(x %i, x %j) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{1 variables for !halide.func<f32, 2> [func_c3]}}
  %f = "halide.func"() <{func_name = "f", vars = ["x"]}> ({
  ^bb0(%i: i32):
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }) : () -> !halide.func<f32, 2>
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{2 extents for !halide.func<f32, 1> [func_c4]}}
  %f = halide.func "f"(x %i) in [4, 4] : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{the region takes 1 i32 coordinates [func_c5]}}
  %f = "halide.func"() <{func_name = "f", vars = ["x"]}> ({
  ^bb0(%i: i32, %j: i32):
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }) : () -> !halide.func<f32, 1>
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{the region must end in a halide.yield of f32 [func_c6]}}
  %f = halide.func "f"(x %i) : f32 {
    halide.yield %i : i32
  }
}

// -----

// expected-error@+1 {{'halide.func' expects parent op 'halide.pipeline'}}
%f = halide.func "f"(x %i) : i32 {
  halide.yield %i : i32
}
