// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// A kernel on the processor stays as it is.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %c = halide.const 3.0 : f32
    %q = halide.sqrt %c : f32
    %p = halide.max %a, %q : f32
    halide.yield %p : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK: %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %c = halide.const 3.0 : f32
// CHECK: %q = halide.sqrt %c : f32
// CHECK: %p = halide.max %a, %q : f32
// CHECK: halide.yield %p : f32
