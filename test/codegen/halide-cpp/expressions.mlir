// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// Expressions: as few parentheses as C++ and the reader need; names for what is used twice.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %q: !halide.buffer<i8, [8]>) to (%y: !halide.buffer<f32, [8]>, %z: !halide.buffer<i1, [8]>, %w: !halide.buffer<i8, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.exp %a : f32
    %c = halide.log %a : f32
    %0 = halide.sub %b, %c : f32
    %1 = halide.sub %a, %0 : f32
    %2 = halide.mul %1, %0 : f32
    %3 = halide.mul %a, %2 : f32
    %4 = halide.add %3, %a : f32
    %5 = halide.abs %4 : f32
    halide.yield %5 : f32
  }
  %g = halide.func "g"(i %i) : i1 {
    %one = halide.const 1 : i32
    %two = halide.const 2 : i32
    %a = halide.lt %i, %two : i32
    %b = halide.le %one, %i : i32
    %c = halide.and %a, %b : i1
    %d = halide.eq %i, %one : i32
    %e = halide.or %c, %d : i1
    %f1 = halide.not %e : i1
    %g1 = halide.lt %one, %two : i32
    %h = halide.eq %f1, %g1 : i1
    halide.yield %h : i1
  }
  %h = halide.func "h"(i %i) : i8 {
    %a = halide.load %q[%i] : !halide.buffer<i8, [8]> to i8
    %b = halide.abs %a : i8
    %c = halide.const -3 : i8
    %d = halide.mod %b, %c : i8
    %e = halide.cast %d : i8 to f32
    %limit = halide.const 2.5 : f32
    %m = halide.pow %limit, %limit : f32
    %n = halide.min %e, %m : f32
    %bits = halide.reinterpret %n : f32 to i32
    %r = halide.cast %bits : i32 to i8
    halide.yield %r : i8
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.output %g in %z : !halide.func<i1, 1> in !halide.buffer<i1, [8]>
  halide.output %h in %w : !halide.func<i8, 1> in !halide.buffer<i8, [8]>
}

// CHECK:      Expr a = x(i);
// CHECK-NEXT: Expr sub = exp(a) - log(a);
// CHECK-NEXT: y(i) = abs(a * ((a - sub) * sub) + a);
// CHECK-NEXT: z(i) = (!((i < 2 && 1 <= i) || i == 1)) == (Expr(1) < 2);
// CHECK-NEXT: Expr e = cast<float>(cast<int8_t>(abs(q(i))) % cast<int8_t>(-3));
// CHECK-NEXT: w(i) = cast<int8_t>(reinterpret<int32_t>(min(e, pow(Expr(2.5f), 2.5f))));
