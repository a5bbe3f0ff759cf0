// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// There is a coefficient for each dimension of each buffer.

// expected-error@+1 {{open says of each dimension of each buffer how it grows [pipeline_c10]}}
halide.pipeline @f(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1, 1]] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{argument 1 is no input with an open dimension [pipeline_c11]}}
halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) open [[1], [1]] packed [1] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}
