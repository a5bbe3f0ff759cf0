// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Every scalar op.

halide.pipeline @all(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<i1, [4]>) {
  %f = halide.func "f"(x %i) : i1 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    %0 = halide.add %a, %a : f32
    %1 = halide.sub %a, %a : f32
    %2 = halide.mul %a, %a : f32
    %3 = halide.div %a, %a : f32
    %4 = halide.mod %a, %a : f32
    %5 = halide.min %a, %a : f32
    %6 = halide.max %a, %a : f32
    %7 = halide.pow %a, %a : f32
    %8 = halide.eq %a, %a : f32
    %9 = halide.lt %i, %i : i32
    %10 = halide.le %a, %a : f32
    %11 = halide.and %8, %9 : i1
    %12 = halide.or %10, %11 : i1
    %13 = halide.not %12 : i1
    %14 = halide.abs %i : i32
    %15 = halide.exp %a : f32
    %16 = halide.log %a : f32
    %17 = halide.sqrt %a : f32
    %18 = halide.sin %a : f32
    %19 = halide.cos %a : f32
    %20 = halide.tanh %a : f32
    %21 = halide.erf %a : f32
    %22 = halide.floor %a : f32
    %23 = halide.ceil %a : f32
    %24 = halide.round %a : f32
    %25 = halide.strict %13 : i1
    %26 = halide.likely %a : f32
    %27 = halide.is_nan %a : f32
    %28 = halide.cast %i : i32 to ui16
    %29 = halide.select %27, %25, %13 : i1
    %30 = halide.reinterpret %i : i32 to f32
    %31 = halide.bit_and %i, %i : i32
    %sum = halide.saturating_add %i, %i : i32
    %32 = halide.bit_or %i, %i : i32
    %33 = halide.bit_xor %i, %i : i32
    halide.yield %29 : i1
  }
  halide.output %f in %y : !halide.func<i1, 1> in !halide.buffer<i1, [4]>
}

// CHECK:      %0 = halide.add %a, %a : f32
// CHECK-NEXT: %1 = halide.sub %a, %a : f32
// CHECK-NEXT: %2 = halide.mul %a, %a : f32
// CHECK-NEXT: %3 = halide.div %a, %a : f32
// CHECK-NEXT: %4 = halide.mod %a, %a : f32
// CHECK-NEXT: %5 = halide.min %a, %a : f32
// CHECK-NEXT: %6 = halide.max %a, %a : f32
// CHECK-NEXT: %7 = halide.pow %a, %a : f32
// CHECK-NEXT: %8 = halide.eq %a, %a : f32
// CHECK-NEXT: %9 = halide.lt %i, %i : i32
// CHECK-NEXT: %10 = halide.le %a, %a : f32
// CHECK-NEXT: %11 = halide.and %8, %9 : i1
// CHECK-NEXT: %12 = halide.or %10, %11 : i1
// CHECK-NEXT: %13 = halide.not %12 : i1
// CHECK-NEXT: %14 = halide.abs %i : i32
// CHECK-NEXT: %15 = halide.exp %a : f32
// CHECK-NEXT: %16 = halide.log %a : f32
// CHECK-NEXT: %17 = halide.sqrt %a : f32
// CHECK-NEXT: %18 = halide.sin %a : f32
// CHECK-NEXT: %19 = halide.cos %a : f32
// CHECK-NEXT: %20 = halide.tanh %a : f32
// CHECK-NEXT: %21 = halide.erf %a : f32
// CHECK-NEXT: %22 = halide.floor %a : f32
// CHECK-NEXT: %23 = halide.ceil %a : f32
// CHECK-NEXT: %24 = halide.round %a : f32
// CHECK-NEXT: %25 = halide.strict %13 : i1
// CHECK-NEXT: %26 = halide.likely %a : f32
// CHECK-NEXT: %27 = halide.is_nan %a : f32
// CHECK-NEXT: %28 = halide.cast %i : i32 to ui16
// CHECK-NEXT: %29 = halide.select %27, %25, %13 : i1
// CHECK-NEXT: %30 = halide.reinterpret %i : i32 to f32
// CHECK-NEXT: %31 = halide.bit_and %i, %i : i32
// CHECK-NEXT: %sum = halide.saturating_add %i, %i : i32
// CHECK-NEXT: %32 = halide.bit_or %i, %i : i32
// CHECK-NEXT: %33 = halide.bit_xor %i, %i : i32
