// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// A constant is the shortest C++ text of its value, in its own type. Halide would take -0.0 for the
// same value as 0.0, so it is written by its bits.

halide.pipeline @k() to (%a: !halide.buffer<f32, [4]>, %b: !halide.buffer<f64, [4]>, %c: !halide.buffer<f16, [4]>, %d: !halide.buffer<i64, [4]>, %e: !halide.buffer<ui32, [4]>, %f: !halide.buffer<i1, [4]>, %g: !halide.buffer<f32, [4]>, %h: !halide.buffer<i32, [4]>, %i: !halide.buffer<ui64, [4]>, %j: !halide.buffer<f64, [4]>, %k: !halide.buffer<f32, [4]>, %l: !halide.buffer<f32, [4]>, %m: !halide.buffer<f64, [4]>) {
  %fa = halide.func "fa"(x %x) : f32 {
    %v = halide.const 0.1 : f32
    halide.yield %v : f32
  }
  %fb = halide.func "fb"(x %x) : f64 {
    %v = halide.const 0.1 : f64
    halide.yield %v : f64
  }
  %fc = halide.func "fc"(x %x) : f16 {
    %v = halide.const 3.0 : f16
    halide.yield %v : f16
  }
  %fd = halide.func "fd"(x %x) : i64 {
    %v = halide.const -9223372036854775808 : i64
    halide.yield %v : i64
  }
  %fe = halide.func "fe"(x %x) : ui32 {
    %v = halide.const 4000000000 : ui32
    halide.yield %v : ui32
  }
  %ff = halide.func "ff"(x %x) : i1 {
    %v = halide.const 1 : i1
    halide.yield %v : i1
  }
  %fg = halide.func "fg"(x %x) : f32 {
    %v = halide.const -inf : f32
    halide.yield %v : f32
  }
  %fh = halide.func "fh"(x %x) : i32 {
    %v = halide.const -2147483648 : i32
    halide.yield %v : i32
  }
  %fi = halide.func "fi"(x %x) : ui64 {
    %v = halide.const -1 : ui64
    halide.yield %v : ui64
  }
  %fj = halide.func "fj"(x %x) : f64 {
    %v = halide.const nan : f64
    halide.yield %v : f64
  }
  %fk = halide.func "fk"(x %x) : f32 {
    %v = halide.const 1.0e300 : f32
    halide.yield %v : f32
  }
  %fl = halide.func "fl"(x %x) : f32 {
    %v = halide.const -0.0 : f32
    halide.yield %v : f32
  }
  %fm = halide.func "fm"(x %x) : f64 {
    %v = halide.const -0.0 : f64
    halide.yield %v : f64
  }
  halide.output %fa in %a : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %fb in %b : !halide.func<f64, 1> in !halide.buffer<f64, [4]>
  halide.output %fc in %c : !halide.func<f16, 1> in !halide.buffer<f16, [4]>
  halide.output %fd in %d : !halide.func<i64, 1> in !halide.buffer<i64, [4]>
  halide.output %fe in %e : !halide.func<ui32, 1> in !halide.buffer<ui32, [4]>
  halide.output %ff in %f : !halide.func<i1, 1> in !halide.buffer<i1, [4]>
  halide.output %fg in %g : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %fh in %h : !halide.func<i32, 1> in !halide.buffer<i32, [4]>
  halide.output %fi in %i : !halide.func<ui64, 1> in !halide.buffer<ui64, [4]>
  halide.output %fj in %j : !halide.func<f64, 1> in !halide.buffer<f64, [4]>
  halide.output %fk in %k : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %fl in %l : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %fm in %m : !halide.func<f64, 1> in !halide.buffer<f64, [4]>
}

// CHECK:      a(x) = 0.1f;
// CHECK-NEXT: b(x) = Expr(0.1);
// CHECK-NEXT: c(x) = cast<float16_t>(Expr(3.0));
// CHECK-NEXT: d(x) = Expr(INT64_MIN);
// CHECK-NEXT: e(x) = Expr(uint32_t(4000000000u));
// CHECK-NEXT: f(x) = cast<bool>(1);
// CHECK-NEXT: g(x) = -INFINITY;
// CHECK-NEXT: h(x) = INT32_MIN;
// CHECK-NEXT: i(x) = Expr(UINT64_C(18446744073709551615));
// CHECK-NEXT: j(x) = Expr(double(NAN));
// CHECK-NEXT: k(x) = INFINITY;
// CHECK-NEXT: l(x) = reinterpret<float>(cast<uint32_t>(Expr(UINT64_C(2147483648))));
// CHECK-NEXT: m(x) = reinterpret<double>(cast<uint64_t>(Expr(UINT64_C(9223372036854775808))));
