// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// No dimensions, no inputs, several outputs; a reduction that does not start at 0.

halide.pipeline @scalars() to (%y: !halide.buffer<f64, []>, %z: !halide.buffer<i8, [0]>) {
  %f = halide.func "f"() : f64 {
    %one = halide.const 1.0 : f64
    halide.yield %one : f64
  }
  halide.update %f() over (r %r in -2 to 3, q %q in 1 to 2) : !halide.func<f64, 0> {
    %old = halide.load %f[] : !halide.func<f64, 0> to f64
    %v = halide.cast %r : i32 to f64
    %new = halide.mul %old, %v : f64
    halide.yield %new : f64
  }
  %g = halide.func "g"(x %x) : i8 {
    %v = halide.cast %x : i32 to i8
    halide.yield %v : i8
  }
  halide.output %f in %y : !halide.func<f64, 0> in !halide.buffer<f64, []>
  halide.output %g in %z : !halide.func<i8, 1> in !halide.buffer<i8, [0]>
}

// CHECK:       halide.pipeline @scalars() to (%y: !halide.buffer<f64, []>, %z: !halide.buffer<i8, [0]>) {
// CHECK-NEXT:    %f = halide.func "f"() : f64 {
// CHECK:         halide.update %f() over (r %r in -2 to 3, q %q in 1 to 2) : !halide.func<f64, 0> {
// CHECK-NEXT:      %old = halide.load %f[] : !halide.func<f64, 0> to f64
// CHECK-NEXT:      %v = halide.cast %r : i32 to f64
