// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Buffers and funcs hold numbers; a buffer has one stride a dimension and no negative extent.

// expected-error@+1 {{halide.buffer holds no elements of type index [buffer_c1]}}
halide.pipeline @f() to (%y: !halide.buffer<index, [4]>) {
}

// -----

// expected-error@+1 {{2 extents but 1 strides [buffer_c2]}}
halide.pipeline @f() to (%y: !halide.buffer<f32, [4, 4], [1]>) {
}

// -----

// expected-error@+1 {{extents are not negative, found [4, -1] [buffer_c3]}}
halide.pipeline @f() to (%y: !halide.buffer<f32, [4, -1]>) {
}

// -----

halide.pipeline @f() to (%y: !halide.buffer<f32, [4]>) {
  // expected-error@+1 {{a halide.func has no values of type index [func_type_c1]}}
  %f = halide.func "f"(x %x) : index {
    halide.yield %x : i32
  }
}
