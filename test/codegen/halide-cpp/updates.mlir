// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// Updates: += only where the func's own value at the point is added to; one RDom each.

halide.pipeline @k(%x: !halide.buffer<f32, [8, 4]>) to (%y: !halide.buffer<f32, []>, %z: !halide.buffer<f32, [8]>) {
  %s = halide.func "s"() : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %s() over (r %r in 0 to 8, q %q in 1 to 4) : !halide.func<f32, 0> {
    %old = halide.load %s[] : !halide.func<f32, 0> to f32
    %v = halide.load %x[%r, %q] : !halide.buffer<f32, [8, 4]> to f32
    %new = halide.add %old, %v : f32
    halide.yield %new : f32
  }
  %t = halide.func "t"(i %i) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %t(i %i) over (r %r in 0 to 4) : !halide.func<f32, 1> {
    %old = halide.load %t[%i] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%i, %r] : !halide.buffer<f32, [8, 4]> to f32
    %new = halide.add %v, %old : f32
    halide.yield %new : f32
  }
  halide.update %t(i %i) over (r %r in 1 to 8) : !halide.func<f32, 1> {
    %old = halide.load %t[%r] : !halide.func<f32, 1> to f32
    %new = halide.add %old, %old : f32
    halide.yield %new : f32
  }
  halide.output %s in %y : !halide.func<f32, 0> in !halide.buffer<f32, []>
  halide.output %t in %z : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %s "r" to "ro", "ri" by 4 {stage = 1} : !halide.func<f32, 0>
    halide.split %t "r" to "ro", "ri" by 2 {stage = 2} : !halide.func<f32, 1>
    halide.unroll %t "ri" {stage = 2} : !halide.func<f32, 1>
    halide.unroll %t "i" {stage = 1} : !halide.func<f32, 1>
  }
}

// CHECK:      y() = 0.0f;
// CHECK-NEXT: RDom domain(0, 8, 1, 3);
// CHECK-NEXT: RVar r = domain[0], q = domain[1];
// CHECK-NEXT: y() += x(r, q);
// CHECK-NEXT: z(i) = 0.0f;
// CHECK-NEXT: RDom domain_2(0, 4);
// CHECK-NEXT: RVar r_2 = domain_2[0];
// CHECK-NEXT: z(i) = x(i, r_2) + z(i);
// CHECK-NEXT: RDom domain_3(1, 7);
// CHECK-NEXT: RVar r_3 = domain_3[0];
// CHECK-NEXT: Expr old = z(r_3);
// CHECK-NEXT: z(i) = old + old;
// CHECK:      RVar ro("ro"), ri("ri"), ro_2("ro_2"), ri_2("ri_2");
// CHECK-NEXT: y.update().split(r, ro, ri, 4);
// CHECK-NEXT: z.update(1).split(r_3, ro_2, ri_2, 2)
// CHECK-NEXT:     .unroll(ri_2);
// CHECK-NEXT: z.update().unroll(i);
