// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Neither a kernel nor a thread that helps it asks for less than nothing, and the number is one.

// expected-error@+1 {{scratch is not negative, found -64 bytes [pipeline_c2]}}
halide.pipeline @a(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch -64 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{worker_scratch is not negative, found -1 bytes [pipeline_c2]}}
halide.pipeline @a(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) worker_scratch -1 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{stack is not negative, found -8 bytes [pipeline_c2]}}
halide.pipeline @a(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) stack -8 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{Expected integer literal}}
halide.pipeline @a() to (%y: !halide.buffer<f32, [4]>) scratch "64" {
}
