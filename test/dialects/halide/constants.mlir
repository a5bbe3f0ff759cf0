// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Constants keep their value through text: infinities, nan, zeros, the edges of integers.

halide.pipeline @constants() to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(x %i) : f32 {
    %0 = halide.const 0.0 : f32
    %1 = halide.const -0.0 : f32
    %2 = halide.const inf : f32
    %3 = halide.const -inf : f64
    %4 = halide.const nan : f16
    %5 = halide.const 1.0e-45 : f32
    %6 = halide.const 1.0e300 : f64
    %7 = halide.const 0.1 : bf16
    %8 = halide.const -128 : i8
    %9 = halide.const -9223372036854775808 : i64
    %10 = halide.const 1 : i1
    %11 = halide.const 4000000000 : ui32
    %12 = halide.const 3 : f32
    halide.yield %0 : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK:      %0 = halide.const 0.0 : f32
// CHECK-NEXT: %1 = halide.const -0.0 : f32
// CHECK-NEXT: %2 = halide.const inf : f32
// CHECK-NEXT: %3 = halide.const -inf : f64
// CHECK-NEXT: %4 = halide.const nan : f16
// CHECK-NEXT: %5 = halide.const 1.0e-45 : f32
// CHECK-NEXT: %6 = halide.const 1.0e+300 : f64
// CHECK-NEXT: %7 = halide.const 0.1 : bf16
// CHECK-NEXT: %8 = halide.const -128 : i8
// CHECK-NEXT: %9 = halide.const -9223372036854775808 : i64
// CHECK-NEXT: %10 = halide.const 1 : i1
// CHECK-NEXT: %11 = halide.const 4000000000 : ui32
// CHECK-NEXT: %12 = halide.const 3.0 : f32
