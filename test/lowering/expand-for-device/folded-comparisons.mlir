// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// Comparisons of constants are constants, too; a nan is equal to nothing, and Halide's <= holds.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %n = halide.const nan : f32
    %c = halide.const 3.0 : f32
    %e = halide.eq %n, %n : f32
    %l = halide.le %c, %n : f32
    %t = halide.lt %c, %c : f32
    %k = halide.lt %a, %c : f32
    %s = halide.is_nan %n : f32
    %p = halide.or %e, %l : i1
    %q = halide.or %t, %s : i1
    %r = halide.or %p, %q : i1
    %b = halide.or %r, %k : i1
    %v = halide.select %b, %a, %c : f32
    halide.yield %v : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK: %e = halide.const 0 : i1
// CHECK: %0 = halide.const 0 : i1
// CHECK: %l = halide.not %0 : i1
// CHECK: %t = halide.const 0 : i1
// CHECK: %k = halide.lt %a, %c : f32
// CHECK: %s = halide.const 1 : i1
