// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// Floats that are computed from constants become constants of 32 bits, which the kernel's text has.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %c = halide.const 3.0 : f32
    %d = halide.const 2 : i32
    %e = halide.cast %d : i32 to f32
    %q = halide.div %c, %e : f32
    %s = halide.strict %q : f32
    %r = halide.sqrt %s : f32
    %p = halide.mul %a, %r : f32
    halide.yield %p : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK: %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %c = halide.const 3.0 : f32
// CHECK: %d = halide.const 2 : i32
// CHECK: %e = halide.const 2.0 : f32
// CHECK: %q = halide.const 1.5 : f32
// CHECK: %s = halide.const 1.5 : f32
// CHECK: %r = halide.const 1.2247449159622192 : f32
// CHECK: %p = halide.mul %a, %r : f32
// CHECK: halide.yield %p : f32
