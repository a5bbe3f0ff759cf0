// RUN: autodeploy-opt %s --verify-diagnostics | filecheck %s

// The extent of a dimension that the buffer does not have.

halide.pipeline @sum(%x: !halide.buffer<f32, [4, 3]>) to (%y: !halide.buffer<i32, [4]>) {
  %f = halide.func "f"(i %i) : i32 {
    %e = halide.extent %x 2 : !halide.buffer<f32, [4, 3]>
    halide.yield %e : i32
  }
  halide.output %f in %y : !halide.func<i32, 1> in !halide.buffer<i32, [4]>
}

// CHECK: !halide.buffer<f32, [4, 3]> has no dimension 2
